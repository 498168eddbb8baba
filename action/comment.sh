#!/usr/bin/env bash
# comment.sh NUMBER FILE: keeps one comment on a pull request up to date, found by its first line.
#
# Only comments by the token's own account count: anybody can write the marker. Without a comment to
# update, a report that has nothing to list writes none.
set -euo pipefail
number=$1
report=$2
marker='<!-- claim-audit -->'
author=${COMMENT_AUTHOR:-github-actions[bot]}
comments=repos/$GITHUB_REPOSITORY/issues/$number/comments

known=$(MARKER=$marker AUTHOR=$author gh api --paginate "$comments?per_page=100" \
  --jq '.[] | select(.user.login == env.AUTHOR and (.body | startswith(env.MARKER))) | .id')
known=${known%%$'\n'*}
if [ -n "$known" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$known" -F "body=@$report"
elif grep -q '^#### \|^| ' "$report"; then
  gh api --silent --method POST "$comments" -F "body=@$report"
fi
