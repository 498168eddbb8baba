//! Writes the JSON Schemas of the reports: `cargo run --example report_schema -- docs`.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name the folder to write to")?;
    let [report, line, several] = claim_audit::report::schemas()?;
    std::fs::write(Path::new(&folder).join("report.schema.json"), report)?;
    std::fs::write(Path::new(&folder).join("report-line.schema.json"), line)?;
    std::fs::write(Path::new(&folder).join("report-of-several.schema.json"), several)?;
    Ok(())
}
