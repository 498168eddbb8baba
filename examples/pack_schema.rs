//! Writes the JSON Schema of rule packs: `cargo run --example pack_schema -- rules/pack.schema.json`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("name the file to write")?;
    std::fs::write(file, claim_audit::rules::pack_schema()?)?;
    Ok(())
}
