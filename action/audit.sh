#!/usr/bin/env bash
# Audits the checked-out commit: a comment on the pull request, the job's summary, annotations where no
# comment may be written, SARIF where it is wanted.
#
# Nothing here is a word of the repository or of the pull request but names of branches, and those are
# only ever arguments in quotes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

die() {
  echo "::error title=claim-audit::$1"
  exit 2
}

if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
  die "the history is cut off, so that origins are hidden: check out with fetch-depth: 0"
fi

base=${INPUT_BASE:-}
if [ -z "$base" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then
  # The tip of the base branch as it is now: the event's own base is as old as the pull request.
  base=origin/$GITHUB_BASE_REF
fi
if [ -n "$base" ] && ! git rev-parse --verify --quiet "$base^{commit}" >/dev/null; then
  die "the base $base is not here: check out with fetch-depth: 0"
fi

read -r -a options <<<"${INPUT_ARGS:-}"
[ -z "$base" ] || options+=(--base "$base")
audit() {
  "$CLAIM_AUDIT" ${options[@]+"${options[@]}"} "$@" .
}

folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/claim-audit.XXXXXX")
report=$folder/comment.md
status=0
audit --format markdown --output "$report" || status=$?
[ "$status" -le 1 ] || die "the audit could not be made; the log says why"
echo "report=$report" >>"$GITHUB_OUTPUT"
echo "leads=$([ "$status" = 1 ] && echo true || echo false)" >>"$GITHUB_OUTPUT"
cat "$report" >>"$GITHUB_STEP_SUMMARY"

if [ -n "${INPUT_SARIF:-}" ]; then
  audit --format sarif --output "$INPUT_SARIF" || [ $? -le 1 ] || die "no SARIF could be written"
  # Code scanning opens alerts for suppressed results too: it must not see them.
  jq '.runs[].results |= map(select(has("suppressions") | not))' "$INPUT_SARIF" >"$folder/open.sarif" ||
    die "SARIF needs jq, which is not on this runner"
  mv "$folder/open.sarif" "$INPUT_SARIF"
fi

commented=false
if [ "${INPUT_COMMENT:-true}" = true ] && [[ ${GITHUB_REF:-} =~ ^refs/pull/([0-9]+)/ ]]; then
  if bash "$here/comment.sh" "${BASH_REMATCH[1]}" "$report"; then
    commented=true
  else
    echo "::notice title=claim-audit::no comment could be written (pull requests from forks may not): see the annotations and the job summary"
  fi
fi
if [ "$commented" = false ] && [ "$status" = 1 ]; then
  # As annotations where the program has them, else one that leads to the summary.
  audit --format github 2>/dev/null || [ $? = 1 ] ||
    echo "::warning title=claim-audit::there are leads: the job summary lists them"
fi

[ "${INPUT_FAIL_ON:-lead}" = never ] || exit "$status"
