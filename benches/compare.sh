#!/bin/sh
# Compares an audit with what git needs to read the same: `benches/compare.sh REPO [ROUNDS [SEARCHES]]`.
#
# In each round, one after the other, so that all meet the same machine:
#   audit   claim-audit, JSON report, with an empty cache
#   warm    the same, with what an audit of the commit before has kept
#   limit   each commit, each distinct tree and each distinct document once, through git itself
#   log -p  one pass over the patches of all documents
#   log -S  what a person would do for each claim, SEARCHES times
# Printed are the medians of the rounds, and the medians of each round's ratios. $AUDIT names another
# program to compare.
set -eu

repo=${1:?usage: benches/compare.sh REPO [ROUNDS [SEARCHES]]}
rounds=${2:-5}
searches=${3:-1}
audit=${AUDIT:-"$(dirname "$0")/../target/release/claim-audit"}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What an audit of the commit before keeps.
"$audit" --format json --fail-on never --rev HEAD~1 --cache-dir "$work/before" "$repo" >/dev/null 2>&1 || true

# What the rule packs call documents, but for names without an ending.
set -- '*.md' '*.markdown' '*.rst' '*.txt' '*.adoc' '*.org' '*.tex' '*.ipynb' '*.html'
git -C "$repo" rev-list --objects --missing=allow-any --filter=object:type=tree HEAD |
    cut -d ' ' -f 1 >"$work/trees"
git -C "$repo" log -m --raw --no-abbrev --format= HEAD -- "$@" |
    awk '$4 !~ /^0+$/ && !seen[$4]++ { print $4 }' >"$work/documents"
git -C "$repo" grep -hIE '.{30}' HEAD -- "$@" |
    awk -v n="$searches" 'NR % 97 == 1 && found++ < n' >"$work/lines"

# Milliseconds that a command takes; what it says and how it ends is no matter.
clock() {
    from=$(date +%s%N)
    "$@" >/dev/null 2>&1 || true
    echo $((($(date +%s%N) - from) / 1000000))
}
# shellcheck disable=SC2317 # called by clock
limit() {
    git -C "$repo" rev-list --count HEAD
    git -C "$repo" cat-file --batch --buffer <"$work/trees"
    git -C "$repo" cat-file --batch --buffer <"$work/documents"
}
# shellcheck disable=SC2317 # called by clock
search() {
    while IFS= read -r line; do
        git -C "$repo" log -S"$line" --format=%H HEAD -- "$@"
    done <"$work/lines"
}

round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    rm -rf "$work/cold" "$work/warm"
    cp -R "$work/before" "$work/warm"
    echo "$(clock "$audit" --format json --fail-on never --cache-dir "$work/cold" "$repo") $(clock limit)" \
        "$(clock git -C "$repo" log -p --format=%H HEAD -- "$@") $(clock search "$@")" \
        "$(clock "$audit" --format json --fail-on never --cache-dir "$work/warm" "$repo")"
done >"$work/rounds"

# The median of an expression over the rounds.
median() {
    awk "{ print $1 }" "$work/rounds" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
echo "$(wc -l <"$work/trees") trees, $(wc -l <"$work/documents") documents, medians of $rounds rounds"
echo "audit $(median '$1') ms, limit $(median '$2') ms, log -p $(median '$3') ms," \
    "$searches x log -S $(median '$4') ms"
echo "warm $(median '$5') ms, warm / audit $(median '$5 / ($1 + 1)')"
echo "audit / limit $(median '$1 / ($2 + 1)')"
echo "log -p / audit $(median '$3 / ($1 + 1)')"
echo "$searches x log -S / audit $(median '$4 / ($1 + 1)')"
