#![no_main]

#[path = "../laws.rs"]
#[allow(dead_code)]
mod laws;

use claim_audit::documents::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::document(Format::AsciiDoc, bytes));
