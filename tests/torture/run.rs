//! One run of the program in a sealed environment, with a bound on its time.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::case::Case;

/// Seconds for a case that sets none.
const PATIENCE: u64 = 60;
/// An unoptimised program on a busy machine is that much slower than what the limits were made for.
const SLOWER: u64 = if cfg!(debug_assertions) { 6 } else { 2 };

/// How a run ended.
pub(crate) struct Run {
    /// `None` where a signal or our patience ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    /// Why it is no answer: killed, out of patience, more memory than allowed.
    pub(crate) broken: Option<String>,
}

/// Runs the program on a case with further arguments.
pub(crate) fn run(folder: &Path, case: &Case, further: &[&str]) -> Run {
    let out = tempfile::tempfile().unwrap();
    let err = tempfile::tempfile().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_claim-audit"));
    command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", "/nonexistent");
    command.env("GIT_CEILING_DIRECTORIES", folder);
    for (name, value) in &case.env {
        match value {
            Some(value) => {
                let value = value.replace("{OUTDIR}", &folder.to_string_lossy());
                command.env(name, value)
            }
            None => command.env_remove(name),
        };
    }
    if let Some(user) = case.run_as {
        command.uid(user).gid(user);
    }
    // A relative path, so that what is printed is the same on every machine.
    command.current_dir(folder).args(&case.args).args(further);
    // The home of a case may be one that can be written, and lies beside its repository.
    command.arg("--no-cache").arg("--").arg(&case.arg);
    command.stdin(Stdio::null()).stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap());
    let mut child = command.spawn().unwrap();
    let patience = Duration::from_secs(case.limits.seconds.unwrap_or(PATIENCE) * SLOWER);
    let (status, broken) = wait(&mut child, patience, case.limits.rss_mib);
    let stderr = String::from_utf8_lossy(&contents(err)).into_owned();
    let broken =
        broken.or_else(|| status.signal().map(|signal| format!("ended by signal {signal}")));
    Run { code: status.code(), stdout: contents(out), stderr, broken }
}

#[expect(clippy::disallowed_methods, reason = "a test may look at the clock")]
fn wait(
    child: &mut Child,
    patience: Duration,
    rss_mib: Option<u64>,
) -> (std::process::ExitStatus, Option<String>) {
    let start = Instant::now();
    let mut pause = Duration::from_millis(2);
    let mut peak = 0;
    loop {
        // Asked for first: there is nothing left to look at once the process is waited for.
        peak = peak.max(memory(child.id()));
        if let Some(status) = child.try_wait().unwrap() {
            let over = rss_mib.filter(|limit| peak > *limit);
            return (status, over.map(|limit| format!("{peak} MiB of memory, {limit} allowed")));
        }
        if start.elapsed() > patience {
            child.kill().unwrap();
            let status = child.wait().unwrap();
            return (status, Some(format!("not done after {} s", patience.as_secs())));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The most memory that a process has had so far, in MiB.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn contents(mut file: File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}
