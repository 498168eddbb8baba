# The commands of every day. `just check` is what CI runs on one system.

# Lists the commands.
default:
    @just --list

# All that must hold before a commit is pushed.
check: fmt-check clippy doc test

# Formats the code.
fmt:
    cargo fmt

fmt-check:
    cargo fmt --check

clippy:
    cargo clippy --all-targets --locked -- -D warnings

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --document-private-items --locked

# Runs all tests, or those whose name contains the words given.
test *words:
    cargo test --locked {{words}}

# Runs the stories alone: what must be said of which history.
stories:
    cargo test --locked --test stories

# Runs the tests and takes what the snapshots now show as right; read the diff before you commit it.
bless *words:
    INSTA_UPDATE=always cargo test --locked {{words}}
    git diff --stat

# Builds a story's repository in a folder and audits it.
story name:
    rm -rf target/stories/{{name}}
    cargo run --quiet --example story -- {{name}} target/stories/{{name}}
    cargo run --quiet -- target/stories/{{name}}

# How fast documents are read, histories walked and traced. Figures of one machine compare with each other, so there is no test.
bench *words:
    cargo bench --locked --bench extract --bench trace -- {{words}}

# An audit against what git needs to read the same history: `just bench-compare ~/src/numpy`.
bench-compare repo rounds="5" searches="1":
    cargo build --release --locked
    benches/compare.sh {{repo}} {{rounds}} {{searches}}

# Difficult repositories, all of them or those named, separated by commas.
torture names="":
    TORTURE={{names}} cargo test --locked --release --test torture

# Looks for inputs that break a law: `just fuzz markdown 600`. Needs `cargo install cargo-fuzz`.
fuzz target seconds="1800":
    mkdir -p fuzz/corpus/{{target}} && find testdata/documents testdata/rules testdata/stories -type f -size -16k | xargs cp -t fuzz/corpus/{{target}}
    cargo fuzz run --sanitizer none {{target}} -- -max_total_time={{seconds}} -timeout=60 -max_len=16384

# Looks at the page in a real browser. Needs node, npm and Chromium ($CHROMIUM, or on the path).
page:
    cargo build --locked
    npm --prefix tests/page ci --ignore-scripts --no-audit --no-fund
    npm --prefix tests/page test

# Licences, advisories, sources. Needs `cargo install cargo-deny`.
deny:
    cargo deny --locked check

# What would be published.
package:
    cargo publish --dry-run --locked
