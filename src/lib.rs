//! Audits the result claims of a git repository against its own history.
//!
//! The pipeline is the function [`audit`]: walk, read, extract, trace, judge. What each word means
//! is said where its type is made.

pub mod checks;
pub mod cli;
pub mod documents;
pub mod extract;
pub mod history;
pub mod ledger;
pub mod lineage;
pub mod report;
pub mod rules;
pub mod verdict;
