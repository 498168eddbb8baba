#!/usr/bin/env bash
# Finds or installs the program and tells the next step where it is, in CLAIM_AUDIT.
set -euo pipefail

die() {
  echo "::error title=claim-audit::$1"
  exit 2
}

if [ -n "${INPUT_BINARY:-}" ]; then
  [ -x "$INPUT_BINARY" ] || die "no program at ${INPUT_BINARY}"
  program=$INPUT_BINARY
elif program=$(command -v claim-audit); then
  :
elif command -v cargo >/dev/null; then
  cargo install claim-audit --locked ${INPUT_VERSION:+--version "$INPUT_VERSION"}
  program=$(command -v claim-audit || echo "${CARGO_HOME:-$HOME/.cargo}/bin/claim-audit")
elif command -v pip >/dev/null; then
  pip install --quiet "claim-audit${INPUT_VERSION:+==$INPUT_VERSION}"
  program=$(command -v claim-audit) || die "pip installed claim-audit outside of PATH"
else
  die "neither cargo nor pip is here to install claim-audit: set the input binary"
fi
"$program" --version
echo "CLAIM_AUDIT=$program" >>"$GITHUB_ENV"
