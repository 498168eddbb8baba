# What the program says, in English. Write-up of the format: https://projectfluent.org/fluent/guide/
# Each check has a text of its name, which reports print as its reason, and `.explain`, which
# `--explain` prints; its first sentence stands in `--list-checks`.

list-separator = {"; "}

## Checks

predates-pitfall =
    Last tested { $lag } before the pitfall { $trigger } became known{ $order ->
        [time] {" "}(on parallel branches, by committer time)
       *[ancestry] {""}
    }, and not since; { $exposure ->
        [set] { $path } set it then
        [claim] the claim itself rests on it
       *[unrecorded] whether it was set then is not recorded
    }{ $why-count ->
        [0] {""}
       *[other] {" "}({ $why })
    }.
    .explain =
        The claim was last tested before a pitfall became known that could explain or distort its
        outcome, and nothing tested it again since. It may well be true; nobody can tell from this
        history. Test it again with the trigger off, and say so: in the document, or with a
        `Retest:` trailer in the commit message.

# What links a pitfall to a claim.
same-phase = same phase: { $phase }
same-name = both name { $name }
same-condition = same condition: { $term }
rare-words = they share rare words
same-section = same section
same-document = same document
acts-on-every-run = the trigger acts on every run

truncated-history =
    The history is cut off at the oldest commit that has it: it was made there or before.
    .explain =
        The history that could be read is cut off (a shallow clone, a missing or unreadable
        object) where the claim already stands. When it was first made, and what was known then,
        cannot be seen. Fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` in CI.

second-hand =
    It reports somebody else's result: “{ $words }”.
    .explain =
        The claim reports somebody else's result and does not say that it was reproduced here.
        Reproduce it and say so beside it, or keep it as the pointer that it is.

estimate =
    It was computed or expected, not run: “{ $words }”.
    .explain =
        The claim is computed, expected or assumed, or says itself that it was not run. Run it and
        replace the words, or keep it as the expectation that it is.

## What a change did

change-sum =
    This change since { $base } makes { $made ->
        [0] no lead
        [one] 1 lead
       *[other] { $made } leads
    }{ $made ->
        [0] {""}
       *[other] {" "}({ $new } new, { $turned } turned by what it adds)
    }{ $cleared ->
        [0] {""}
       *[other] , brings { $cleared } back to evidence
    }{ $lapsed ->
        [0] {""}
       *[other] , and takes the reasons of { $lapsed } away without a test
    }. { $untouched ->
        [0] No older lead is left.
        [one] 1 older lead stands as before.
       *[other] { $untouched } older leads stand as before.
    }
change-turned = Evidence before this change, leads now: { $ids }.
change-cleared =
    Brought back to evidence by a test: { $count ->
        [one] 1 claim
       *[other] { $count } claims
    }
change-lapsed =
    No longer leads, though nothing was tested: { $count ->
        [one] 1 claim
       *[other] { $count } claims
    }
