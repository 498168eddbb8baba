//! Builds the repository of a story: `cargo run --example story -- three-cards target/three-cards`.
//!
//! For reading a story's audit as a user would, and for trying the program without a repository
//! of one's own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool, not the program"
)]

#[allow(dead_code, reason = "shared with the tests, which use more of it")]
#[path = "../tests/support/build.rs"]
mod build;
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
#[path = "../tests/support/story.rs"]
mod story;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [name, folder] = arguments.as_slice() else {
        eprintln!("usage: cargo run --example story -- NAME FOLDER\n\nstories:");
        story::all().iter().for_each(|told| eprintln!("  {:32} {}", told.name, told.story));
        return ExitCode::from(2);
    };
    if Path::new(folder).exists() {
        eprintln!("error: {folder} is there already\nhelp: remove it, or name another folder");
        return ExitCode::from(2);
    }
    let told = story::named(name);
    let (commits, _) = build::repository_at(&told, Path::new(folder));
    println!("{}\n{} commits in {folder}", told.story, commits.len());
    ExitCode::SUCCESS
}
