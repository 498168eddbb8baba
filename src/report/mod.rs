//! Reports: a finished audit to bytes, a file per format.
