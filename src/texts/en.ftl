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
    { $clock ->
        [against] Last tested before { $needed ->
            [yes] it became known that { $trigger } is needed
           *[no] the pitfall { $trigger } became known
        } (though { $lag } after it by the authors' clocks)
       *[with] Last tested { $lag } before { $needed ->
            [yes] it became known that { $trigger } is needed
           *[no] the pitfall { $trigger } became known
        }
    }{ $order ->
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
        history. Test it again with the trigger off, or set where the pitfall is that it is missing, and
        say so: in the document, or with a `Retest:` trailer in the commit message.
    .fires = “Three cards crash” was written on Monday; on Tuesday `PITFALLS.md` banned `ALLOC=growable`, which crashes at start; nobody went back to three cards.
    .silent = The ban stood in a document before the claim was last tested, the claim's own tree sets the trigger off, or a later commit tested the claim again.
    .fix = Run it again with the trigger off (set, where it is needed) and say so beside the claim or with a `Retest:` trailer.

predates-known-pitfall =
    Last tested { $lag } before the pitfall { $trigger } became publicly known ({ $day }, { $rule }, { $source }), and not since; { $exposure ->
        [set] { $path } set it then
        [claim] the claim itself rests on it
       *[unrecorded] whether it was set then is not recorded
    }{ $why-count ->
        [0] {""}
       *[other] {" "}({ $why })
    }.

# What links a pitfall to a claim.
names-habit = the claim names what it falsifies
told-again = it tells { $number } of { $place } again, which that challenges
same-column = its number stands in the column of { $place }, which that challenges
computed-from = { $number } was computed from { $place }, which that challenges
same-phase = same phase: { $phase }
same-name = both name { $name }
same-condition = same condition: { $term }
rare-words = they share rare words
same-section = same section
same-document = same document
acts-on-every-run = the trigger acts on every run
nothing-recorded = nothing around the claim tells what it was run with
same-symptom = same kind of trouble
a-variable = the trigger is a variable
other-conditions = but other conditions
other-phase = but another phase
score = score { $score }, likely from { $likely }

contradicted =
    { $how ->
        [corrected] A later text in { $path } calls a number of it wrong: “{ $text }”.
        [superseded] It tells how things stand, and a later statement in { $path } tells the same number as past: “{ $text }”.
        [value] A later statement in { $path } gives another value of the same quantity: “{ $text }”.
       *[opposite] A later statement in { $path } says the opposite: “{ $text }”.
    }
    .explain =
        A later statement in the repository says the opposite of the same subject, corrects a number
        of it or gives another value of the same quantity, and nothing tested this one again since. Test it again and withdraw the one that is wrong, or say in
        which condition the two differ.
    .fires = “Two boards crash at start” in one document, “two boards start and serve” in a later one, and both stand.
    .silent = The two differ in a condition that both name, or the earlier one is marked as withdrawn.
    .fix = Run it again and withdraw the one that is wrong, or name the condition in which they differ.

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
    .fires = “Fixed by commit 1f3a9c2”, and that commit is on a branch that was never merged.
    .silent = The fix is a patch file in the tree, the sentence says itself that it is not merged, or it is in another repository.
    .fix = Merge the fix, add it as a patch, or say at which commit the claim holds.

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
    .fires = “As `docs/limits.md` shows”, and that file was removed last week.
    .silent = The file stands where it is cited, or the claim was tested again after it moved.
    .fix = Cite what stands, after looking at what became of it.

config-drift =
    It names { $name } { $named }, which the repository pinned then; { $path } pins { $now } now.
    .explain =
        The claim names a version or a setting that the repository pinned when the claim was last
        tested. The pin has another value now, and nothing tested the claim again since. Test it
        with what is pinned, or say that the result is about the old value.
    .fires = “With engine 0.27.1 it fails”, while the lock file has pinned 0.29.0 since then.
    .silent = The pin is unchanged, or a later commit tested the claim again.
    .fix = Test it with what is pinned now, or say that the result is about the old value.

truncated-history =
    The history is cut off at the oldest commit that has it: it was made there or before.
    .explain =
        The history that could be read is cut off (a shallow clone, a missing or unreadable
        object) where the claim already stands. When it was first made, and what was known then,
        cannot be seen. Fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` in CI.
    .fires = A clone of depth 20 holds the claim in its oldest commit.
    .silent = The commit that first made the claim, and the one before it, are both there.
    .fix = Fetch the whole history.

second-hand =
    It reports somebody else's result: “{ $words }”.
    .explain =
        The claim reports somebody else's result and does not say that it was reproduced here.
        Reproduce it and say so beside it, or keep it as the pointer that it is.
    .fires = “According to the vendor it reaches 120 tok/s.”
    .silent = “The vendor says 120 tok/s; reproduced here with 118.”
    .fix = Reproduce it and say so in the same sentence or row.

estimate = { $how ->
        [beyond] It is said of more than was tested: “{ $words }”, but “{ $other }”.
        [unmeasured] Its table says “{ $words }”, and of this row no result stands anywhere else, as of others does.
        [computed] Its number is what a product gives, and no run is told of: “{ $words }”.
       *[said] It was computed or expected, not run: “{ $words }”.
    }
    .explain =
        The claim is computed, expected or assumed, or says itself that it was not run. Run it and
        replace the words, or keep it as the expectation that it is.
    .fires = “Two cards should fit the model.”
    .silent = “215 GB/s measured, out of a theoretical 256 GB/s.”
    .fix = Run it, then replace the words by the result.

invariant =
    It blames a resource (“{ $words }”), but with { $less } and with { $more } of it the failure is at the same place: { $place }.
    .explain =
        The claim blames a resource for a failure although two configurations that differ in just
        that resource fail at the same place. Look for a cause that both share, or show a run in
        which more of the resource helps.
    .fires = “Three cards fail: not enough memory”, and two rows of three cards, with 57.2 GiB and with 54.0 GiB, that both crash at `repack.cu:118`.
    .silent = The rows crash at different places, a row with more memory works, or the text concludes itself that memory is not the cause.
    .fix = Look for what both configurations share; or show the run in which more of the resource helped.

blind-probe = { $how ->
        [level] It was tested to { $tested }{ $unit } (“{ $words }”), and the fault lives above { $needed }{ $unit }.
        [narrow] It concludes from less to more: “{ $words }”.
        [loads] It concludes from a lower level to a higher one: “{ $words }”.
        [reserved] What is reserved is taken for what is needed: “{ $words }”.
        [too-early] It was measured right after something began: “{ $words }”.
        [starts] It says that it starts (“{ $words }”), and the same is said to fail later: “{ $other }”.
        [open-fault] It says that all is well (“{ $words }”) beside a fault that is still open: “{ $other }”.
       *[probe] It rests on a probe that cannot see the fault: “{ $words }”.
    }
    .explain =
        The claim rests on a probe that could not have seen the fault: a management tool's green
        light, an empty search of a log, memory that was never written, a load below the level at
        which the fault lives. Look again with a probe that fails when the fault is there.
    .fires = “The fault lives above 99.785% of the memory” and “a stress run to 84.1% passed”. Or: “the management tool lists all cards as healthy, so the box works.”
    .silent = The stress run went on until allocation failed, no level is known above which the fault lives, or a deeper probe stands beside the green light: “and after 405 turns no crash.”
    .fix = Look with something that fails when the fault is there, and name it beside the claim.

wrong-phase =
    It blames { $parameter }, which has an effect in { $acts }, for a failure in { $phase }.
    .explain =
        The claim blames a parameter for a failure in a phase in which that parameter has no effect
        yet, or no longer. Look for what acts in that phase.
    .fires = “Loading the weights crashed because the cache share was too high”, though that share sizes a cache which is made after loading.
    .silent = “Decoding crashed because the cache share was too high”; or either phase is not known.
    .fix = Look for what acts in the phase that failed; if a pack is wrong about the parameter, override its rule.

confounded = { $how ->
        [elimination] It is a conclusion by elimination: “{ $words }”.
        [removed] Taken away, it works; with it put back, nobody looked: “{ $words }”.
        [uncontrolled] The text beside its table says that more than one thing changed: “{ $words }”.
        [opt-in] It takes a setting that is off by default: “{ $words }”.
       *[together] Several things were changed together (“{ $words }”), and one gets the credit: “{ $other }”.
    }
    .explain =
        One thing gets the credit or the blame though others were not kept apart from it: several
        changes were made together, or a suspect is what was left over, or was taken away and never
        put back. Change one thing at a time, and change it back.
    .fires = “Thanks to the new kernel it runs at 98.1 tok/s. We also changed the driver.”
    .silent = “… and each was measured alone”; or nothing gets the credit.
    .fix = Change one thing, measure, change it back, measure again.

arithmetic = { $how ->
        [units] The numbers add up only where GB and GiB are taken for one: “{ $equation }” gives { $computed }, not { $stated }.
        [margin] It compares { $computed } with { $stated }, and the margin is smaller than their difference: “{ $equation }”.
       *[fails] The numbers do not add up: “{ $equation }” gives { $computed }, not { $stated }.
    }
    .explain =
        An equation in the claim or beside it does not hold, within the tolerance that its digits
        imply. Sums, products, shares, changes (“a → b (+19%)”), conversions, totals of tables and
        splits are worked out again; what is not understood to its end is left alone. Correct the
        number, or say how it comes about.
    .fires = “141 MiB of 65536 MiB (0.251%)”: it is 0.215%.
    .silent = “63.5 × 0.85 = 54.0”: 53.975 rounds to it. Or an equation with a letter or an unknown unit in it.
    .fix = Correct the number, or write down what else went into it.

# Paragraphs of `--explain`.
guide-fires = It fires: { $text }
guide-silent = It does not: { $text }
guide-fix = What to do: { $text } To keep it from being asked, leave it out with `--no-check { $name }`.

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
corrected-since = its unit or source was put right since; nothing was run for that

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
several-sum = { $count } { $count ->
    [one] repository
   *[other] repositories
}: { $leads } with leads, { $clean } without{ $failed ->
    [0] {""}
   *[other] , { $failed } could not be audited ({ $names })
}
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
label-needed = needs
label-introduced = introduced
label-last-tested = last tested
label-lag = lag
label-exposure = exposure
label-receipts = receipts

heading-evidence = Evidence
heading-suppressed = Suppressed
suppressed-by-comment = by a comment at { $place }
suppressed-by-config = by the configuration
suppressed-by-baseline = by the baseline
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
comment-pitfall = { $needed ->
        [yes] Needed
       *[no] To avoid
    }, since { $commit }: { $trigger } ({ $effect }, { $place }).
comment-pitfall-before = { $count ->
        [1] One claim was
       *[other] { $count } claims were
    } last tested before that was known.
comment-pitfall-now = { $count ->
        [1] One older result was
       *[other] { $count } older results were
    } never tested again { $needed ->
        [yes] with
       *[no] without
    } it.
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

## The life of a claim

event-stated = first stated
event-stands-again = stands again
event-reworded = in other words
event-moved = moved
event-copied = told again
event-translated = told in another language
event-new-number = another number
event-corrected = another unit or source
event-opposite-outcome = another outcome
event-run-at-last = run at last
event-retracted = retracted
event-withdrawn = withdrawn
event-retested = tested again
event-challenged = challenged by a pitfall

# What proves that a statement is an older one again.
known-by = known by { $why }
why-same-statement = the same words
why-same-subject = the same subject
why-numbers = { $count ->
    [one] 1 number
   *[other] { $count } numbers
}
why-codes = { $count ->
    [one] 1 code name
   *[other] { $count } code names
}
why-words = { $count ->
    [one] 1 word
   *[other] { $count } words
}
why-parts = told in { $count ->
    [one] 1 line
   *[other] { $count } lines
}
stands-as-evidence = It stands as evidence.
was-withdrawn = It was taken back: nothing judges it any more.
is-a-lead = It is a lead, not evidence:
