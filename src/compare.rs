//! Two audits of one history: what a change did to the claims.

/// What a change did, by indices into the claims of the audit after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// New claims that are leads.
    pub new_leads: Vec<usize>,
    /// Claims that were evidence before and that the change turned into leads.
    pub turned: Vec<usize>,
    /// Claims that were leads before and that the change brought back to evidence.
    pub cleared: Vec<usize>,
}
