//! Writes the JSON Schemas that editors check files by: `cargo run --example schemas`.

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::write(top.join("rules/pack.schema.json"), claim_audit::rules::pack_schema()?)?;
    fs::write(top.join("claim-audit.schema.json"), claim_audit::config::schema()?)?;
    Ok(())
}
