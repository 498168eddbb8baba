# What the program says, in English. Write-up of the format: https://projectfluent.org/fluent/guide/
# Each check has a text of its name, which reports print as its reason, and `.explain`, which
# `--explain` prints; its first sentence stands in `--list-checks`.

list-separator = {"; "}
enumeration = {", "}
# Between two sentences.
sentence-separator = {" "}

# The two largest units of a span of time, which are joined with a space.
days = { $count } d
hours = { $count } h
minutes = { $count } m
seconds = { $count } s

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
        [base] was merged into { $base }, not into what is audited
        [merged] was merged elsewhere
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

## Words of all reports

kind-failure = failure
kind-success = success
kind-measurement = measurement

effect-crash = crash
effect-perf = perf
effect-wrong = wrong
effect-unknown = unknown

confidence-high = high
confidence-medium = medium
confidence-low = low

# What told of a retest.
how-message = message
how-number = number
how-outcome = outcome
how-trailer = trailer
how-text = text

claims = { $count ->
    [one] 1 claim
   *[other] { $count } claims
}
leads = { $count ->
    [one] 1 lead
   *[other] { $count } leads
}
failures = { $count ->
    [one] 1 failure
   *[other] { $count } failures
}
successes = { $count ->
    [one] 1 success
   *[other] { $count } successes
}
measurements = { $count ->
    [one] 1 measurement
   *[other] { $count } measurements
}
commits = { $count ->
    [one] 1 commit
   *[other] { $count } commits
}
documents = { $count ->
    [one] 1 document
   *[other] { $count } documents
}
caveats = { $count ->
    [one] 1 caveat
   *[other] { $count } caveats
}

# What could not be seen; some languages say by its code what it is about.
caveat = { $code ->
   *[other] { $message }
}

# Commits and times.
at-or-before = at or before { $commit }
unknown-commit = a commit of which nothing is known
no-calendar = at { $seconds } s, which no calendar has
committed = { $time } (committed { $committed })

# A retest: what told of it, and its words.
by-its = by its { $how }: { $words }

# A pitfall against a claim.
lag-until = { $lag } until the pitfall, { $order ->
    [time] on parallel branches, ordered by committer time
   *[ancestry] ordered by ancestry
}
lag-against = none by the authors' clocks, which run { $lag } the other way, { $order ->
    [time] on parallel branches, ordered by committer time
   *[ancestry] ordered by ancestry
}
exposure-in_use = in use: set in the tree of { $commit }
exposure-unrecorded = unrecorded: no trace of it in the tree of { $commit }

# The sum in one line to quote, and what it rests on.
nothing-judged = No claim was found, so nothing was judged.
all-stand = { $count ->
    [one] The only claim stands as evidence: no check speaks against it.
   *[other] All { $count } claims stand as evidence: no check speaks against them.
}
all-stand-as-far-as-read = { $count ->
    [one] The only claim stands as evidence as far as the history could be read.
   *[other] All { $count } claims stand as evidence as far as the history could be read.
}
sum = { $leads } of { $claims } { $leads ->
    [one] is a lead
   *[other] are leads
}, not evidence: { $checks }{ $suppressed ->
    [0] {""}
    [one] ; 1 more is known and suppressed
   *[other] ; { $suppressed } more are known and suppressed
}.
only-suppressed = No lead is open: { $suppressed } of { $claims } { $suppressed ->
    [one] is a lead that is
   *[other] are leads that are
} known and suppressed.
by-check = { $count } by { $check }
basis = claim-audit { $version } read { $commits } and { $documents } at { $rev }{ $packs-count ->
    [0] {""}
   *[other] {" "}with { $packs }
}{ $caveats-count ->
    [0] {""}
   *[other] , with { $caveats } (see above)
}.
receipts-run = Receipts run in a shell at the top of the repository.
below-threshold = { $count ->
    [one] 1 reason
   *[other] { $count } reasons
} below the wanted confidence: --min-confidence low shows what else may be weak.

## The report for terminals

# Before details; a language's labels are aligned by the widest.
label-pitfall = pitfall
label-triggers = triggers
label-introduced = introduced
label-last-tested = last tested
label-lag = lag
label-exposure = exposure
label-receipts = receipts

heading-evidence = Evidence
heading-pitfalls = Pitfalls
all-lists-them = (--all lists them)
pitfalls-known = { $known } known, { $challenging } of them { $challenging ->
    [one] challenges
   *[other] challenge
} a claim
and-more = and { $count } more

## The page

page-title = Claim audit
page-skip = Skip to the claims
page-leads = Leads
page-evidence = Evidence
page-suppressed = Suppressed
page-pitfalls = Pitfalls
page-claims = Claims
page-caveats = What could not be seen, or not be trusted
page-no-claims = No claim was found.
page-checks = What the checks mean
page-meaning = Evidence means that no check has anything to say, not that a claim is true. A lead is worth a look or a new run before anybody builds on it; it may well be true.

# What a change did.
page-new-leads = New leads
page-turned = Turned into leads by this change
page-cleared = Brought back to evidence by a test
page-lapsed = No longer leads, though nothing was tested
page-no-change = This change makes no lead and clears none.

page-standing-lead = lead
page-standing-evidence = evidence
page-standing-suppressed = suppressed

# The picture.
page-picture = What was known when
page-timeline = Timeline
page-caption =
    From { $from } to { $to }: { $claims }, { $retested } of them tested again later; { $pitfalls ->
        [one] 1 pitfall
       *[other] { $pitfalls } pitfalls
    }; { $joined ->
        [0] no claim is older than a pitfall that could explain it.
        [one] 1 claim is older than a pitfall that could explain it.
       *[other] { $joined } claims are older than a pitfall that could explain them.
    }
page-lane = { $claims }, { $leads ->
    [0] no lead
    [one] 1 lead
   *[other] { $leads } leads
}
page-further-documents = { $count } further documents
page-pitfall-label = { $trigger }{ $count ->
    [0] {""}
    [one] {" "}· 1 claim
   *[other] {" "}· { $count } claims
}
# A mark: what it stands for, how many, where the first of them stands, when it was made.
page-mark = { $count ->
    [one] { $standing }
   *[other] { $count } × { $standing }
}, { $place }, { $time }
page-legend-lead = lead
page-legend-evidence = evidence
page-legend-suppressed = suppressed lead
page-legend-retest = retest
page-legend-pitfall = pitfall becomes known
page-legend-join = older than the pitfall, and not tested since

# The list.
page-search = Words in a claim, its reasons or receipts
page-by-verdict = Verdict
page-by-kind = Kind
page-by-check = Check
page-by-file = Document
page-any = all
page-reset = Show all
page-open-all = Open all
page-showing = Showing {"{"}shown{"}"} of {"{"}all{"}"}
page-copy = Copy
page-copied = Copied
page-introduced = introduced
page-last-tested = last tested
page-retest = retest
page-confidence = confidence
page-lag = lag
page-exposure = exposure
page-suppressed-comment = Suppressed by a comment at { $place }: { $reason }
page-suppressed-config = Suppressed by the configuration: { $reason }
page-suppressed-baseline = Suppressed: it stands in the baseline.
page-pitfalls-hint = What the documents warn of, and since when. Those that challenge most claims stand first: a run with the trigger off answers most.
page-challenges = { $count ->
    [0] challenges no claim
    [one] challenges 1 claim
   *[other] challenges { $count } claims
}

## The comment on a pull request

comment-headline = { $leads ->
        [0] { $claims ->
            [0] No claim was found, so nothing was judged
           *[other] { $suppressed ->
                [0] { $claims ->
                    [1] The only claim stands as evidence
                   *[other] All { $claims } claims stand as evidence
                }{ $caveats ->
                    [0] {""}
                   *[other] {" "}as far as the history could be read
                }
               *[other] No lead is open; { $suppressed } of { $claims } claims { $suppressed ->
                    [1] is a lead that is
                   *[other] are leads that are
                } known and suppressed
            }
        }
       *[other] { $leads } of { $claims } { $claims ->
            [1] claim
           *[other] claims
        } { $leads ->
            [1] is a lead
           *[other] are leads
        }, not evidence
    }
comment-change = { $parts-count ->
        [0] This change turns no claim into a lead
       *[other] This change: { $parts }
    }
comment-change-new = { $count ->
        [1] one new lead
       *[other] { $count } new leads
    }
comment-change-turned = { $count ->
        [1] one claim turned into a lead
       *[other] { $count } claims turned into leads
    }
comment-change-cleared = { $count ->
        [1] one claim brought back to evidence
       *[other] { $count } claims brought back to evidence
    }
comment-change-lapsed = { $count ->
        [1] one claim no longer a lead, though nothing was tested
       *[other] { $count } claims no longer leads, though nothing was tested
    }
comment-new = New leads
comment-turned = Turned into leads
comment-cleared = Brought back to evidence
comment-lapsed = No longer leads, though nothing was tested
comment-pitfall = To avoid, since { $commit }: { $trigger } ({ $effect }, { $place }).
comment-pitfall-before = { $count ->
        [1] One claim was
       *[other] { $count } claims were
    } last tested before that was known.
comment-pitfall-now = { $count ->
        [1] One older result was
       *[other] { $count } older results were
    } never tested again without it.
comment-column =
    .claim = Claim
    .tested = Last tested
    .retested = Tested again
    .why = Why it is a lead
    .how = How that is known
    .by = Suppressed by
    .reason = Reason given
comment-challenge = { $order ->
        [as-clocks] last tested { $lag } earlier
       *[against-clocks] last tested on an earlier commit, though dated { $lag } later
    }; { $exposure ->
        [in_use] it was set then
       *[unrecorded] whether it was set then is not recorded
    }
comment-by-config = configuration
comment-by-baseline = baseline
comment-more-leads = { $count ->
        [1] One more lead
       *[other] { $count } more leads
    }
comment-more-caveats = { $count ->
        [1] One more caveat
       *[other] { $count } more caveats
    }; other formats list all of them.
comment-suppressed = { $count ->
        [1] One lead is
       *[other] { $count } leads are
    } known and suppressed
comment-receipts = Receipts: commands that show each of this
comment-cut = Left out to keep this short enough to post: { $claims ->
        [0] {""}
        [1] one claim{" "}
       *[other] { $claims } claims{" "}
    }{ $claims ->
        [0] {""}
       *[other] and{" "}
    }the receipts of { $receipts ->
        [1] one claim
       *[other] { $receipts } claims
    }. The other formats list all of them.
comment-meaning = A lead is worth a look or a new run before anybody builds on it; it may well be true. Test it again, and say so with { "`Retest: ID`" } in the commit message.
comment-basis = claim-audit { $version } read { $commits } and { $documents }:

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
