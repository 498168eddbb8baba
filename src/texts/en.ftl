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

contradicted =
    A later statement in { $path } says the opposite: “{ $text }”.
    .explain =
        A later statement in the repository says the opposite of the same subject, and nothing
        tested this one again since. Test it again and withdraw the one that is wrong, or say in
        which condition the two differ.

unmerged-fix =
    It rests on { $name }, which { $how ->
        [apart] is not in the audited history
        [absent] this repository does not have
        [open] is still open
        [closed] was closed without being merged
        [base] was merged into another branch{ $base ->
            [""] {""}
           *[other] {" "}({ $base })
        }
       *[said] by its own words is not merged
    }.
    .explain =
        The claim says that it is fixed by, or works with, a commit, branch or pull request that
        is not in the audited history. Whoever checks out this commit does not get the fix. Merge
        it, add it as a patch, or say at which commit the claim holds. References to other
        repositories are unknown and never counted. `--forge-events` lets this check see the state
        of pull requests.

stale-citation =
    It cites { $how ->
        [removed] { $what }, which was removed since
        [moved] { $what }, which is { $now } now
        [section] the section “{ $what }”, which { $now } does not have any more
        [reversed] the section “{ $what }”, which says the opposite now
       *[retitled] a pull request that was called “{ $what }” and is called “{ $now }” now
    }.
    .explain =
        The claim cites a file or a section of this repository that was removed, renamed or
        rewritten to the opposite since the claim was last tested, or a pull request that got
        another title. What the claim rested on may not hold any more. Look at what became of it,
        and cite what stands.

config-drift =
    It names { $name } { $named }, which the repository pinned then; { $path } pins { $now } now.
    .explain =
        The claim names a version or a setting that the repository pinned when the claim was last
        tested. The pin has another value now, and nothing tested the claim again since. Test it
        with what is pinned, or say that the result is about the old value.

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
