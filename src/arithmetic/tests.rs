use super::*;

fn words() -> Vocabulary {
    let unit = |base: &str, size: Option<(&str, f64, Option<f64>)>| Unit {
        base: base.into(),
        share: base == "%",
        size: size.map(|(of, factor, loosely)| Size { of: of.into(), factor, loosely }),
    };
    let list = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let gib = 1024f64.powi(3);
    let units = [
        ("tok/s", unit("tok/s", None)),
        ("MiB", unit("MiB", Some(("B", 1024f64.powi(2), None)))),
        ("GiB", unit("GiB", Some(("B", gib, None)))),
        ("GB", unit("GB", Some(("B", 1e9, Some(gib))))),
        ("min", unit("min", Some(("s", 60.0, None)))),
        ("ms", unit("ms", Some(("s", 0.001, None)))),
        ("B", unit("B", Some(("B", 1.0, None)))),
        ("s", unit("s", Some(("s", 1.0, None)))),
        ("h", unit("h", Some(("s", 3600.0, None)))),
        ("W", unit("W", None)),
        ("%", unit("%", None)),
        ("×", unit("×", None)),
        ("x", unit("×", None)),
    ];
    Vocabulary {
        units: units.into_iter().map(|(s, u)| (s.to_owned(), u)).collect(),
        suffixes: vec![
            Suffix { text: "k".into(), factor: 1e3 },
            Suffix { text: "M".into(), factor: 1e6 },
            Suffix { text: "万".into(), factor: 1e4 },
        ],
        equals: list(&["is", "makes", "that is", "即", "等于", "约为"]),
        of: list(&["of", "out of", "中的"]),
        about: list(&["about", "约"]),
        from: list(&["from", "从"]),
        to: list(&["to", "降到"]),
        times: list(&["times", "乘"]),
        plus: list(&["plus", "加"]),
        minus: list(&["minus"]),
        wholes: list(&["layers", "层"]),
        totals: ["total".to_owned(), "合计".to_owned()].into(),
    }
}

#[test]
fn a_dash_may_stand_anywhere() {
    for text in ["needs 3 GiB –", "3 −", "3 -", "3 −\u{fffd}5 ms", "3 –三", "−", "3 −– "]
    {
        assert_eq!(read(text), [], "{text}");
    }
}

fn read(text: &str) -> Vec<(String, Outcome)> {
    let found = equations(text, &words());
    found.into_iter().map(|e| (e.computed, e.outcome)).collect()
}

#[track_caller]
fn holds(text: &str) {
    let found = read(text);
    assert!(found.len() == 1 && found[0].1 == Outcome::Holds, "{text}: {found:?}");
}

#[track_caller]
fn fails(text: &str, computed: &str) {
    assert_eq!(read(text), [(computed.to_owned(), Outcome::Fails)], "{text}");
}

#[track_caller]
fn silent(text: &str) {
    assert_eq!(read(text), [], "{text}");
}

#[test]
fn products_and_sums_hold_as_far_as_their_digits_tell() {
    holds("The budget is 63.5 × 0.85 = 54.0 GiB.");
    holds("util 0.90 gives 63.5 x 0.9 = 57.2");
    fails("The budget is 63.5 × 0.85 = 56.4 GiB.", "54.0 GiB");
    holds("weights 54.0 + draft 4.0 = 58.0 GiB");
    holds("12 dense + 31 sparse = 43 layers");
    fails("12 dense + 31 sparse = 44 layers", "43");
    holds("4 cards × 63.5 GiB = 254 GiB");
    fails("4 cards × 63.5 GiB = 246 GiB", "254 GiB");
    holds("(54.0 + 4.0) / 63.5 = 91.3%");
    holds("63.5 − 54.0 ≈ 10");
    holds("2 × 30 min = 1 h");
    holds("三张卡: 3 × 63.5 GiB = 190.5 GiB");
    fails("三张卡: 3 × 63.5 GiB = 180.5 GiB", "190.5 GiB");
    holds("100% - 0.215% = 99.785%");
    holds("85% of 63.5 GiB = 54.0 GiB");
    holds("3 plus 4 = 7");
}

#[test]
fn parts_of_a_whole_are_worked_out() {
    holds("The fault takes 141 MiB of 65536 MiB (0.215%).");
    fails("The fault takes 141 MiB of 65536 MiB (0.251%).", "0.215%");
    fails("141 MiB of 65536 MiB is 0.251%.", "0.215%");
    holds("0.215% (141 MiB of 65536 MiB)");
    fails("0.251% (141 MiB of 65536 MiB)", "0.215%");
    holds("15/21 = 71.4%");
    fails("17/20 (95%)", "85%");
    fails("141 MiB 约为 65536 MiB 中的 3 MiB, 15/20 = 80%", "75%");
}

#[test]
fn changes_are_read_in_every_usual_meaning() {
    holds("82.1 → 97.8 tok/s (+19.1%)");
    fails("82.1 → 97.8 tok/s (+29.1%)", "+19.1%");
    holds("latency 100 -> 80 ms (-20%)");
    holds("latency 100 -> 80 ms (+25% faster)");
    holds("1637 → 1635 (-0.1%)");
    holds("accuracy 35% → 40% (+5%)");
    holds("from 40 to 84 tok/s (2.1x)");
    fails("from 40 to 84 tok/s (3.1x)", "2.1 ×");
    silent("40 → 60 → 84 tok/s (+40%)");
    silent("40 → 42 cards (100% util)");
}

#[test]
fn units_are_converted() {
    holds("166.9 GB = 155.4 GiB");
    holds("166.9 GB (155.4 GiB)");
    fails("166.9 GB (150.4 GiB)", "155.4 GiB");
    holds("0x8000000 = 128 MiB");
    fails("0x8000000 (256 MiB)", "128 MiB");
    holds("90 min (1.5 h)");
    holds("4 × 262144 B × 1024 = 1 GB");
    silent("64 GB (12 GiB)");
    assert_eq!(read("3 × 16 GiB = 48 GB"), [("52 GB".into(), Outcome::MixedUnits)]);
}

#[test]
fn splits_add_up() {
    holds("The split 15,16,12 covers all 43 layers.");
    fails("The split 15,15,12 covers all 43 layers.", "42");
    fails("按 15,15,12 切, 共 43 层", "42");
    fails("15,15,12 = 43", "42");
    silent("Batches 1,2,4 of 43 layers");
}

#[test]
fn what_is_not_understood_is_left_alone() {
    for text in [
        "",
        "n+3 = 5",
        "sqrt(9 + 16) = 6",
        "2(3+4) = 15",
        "batch = 4 and 5 runs = 8 in all",
        "2^10 + 4 = 9",
        "A100-40 + 2 = 7",
        "1.2.3 + 4 = 9",
        "#12 + 3 = 9",
        "8 × H100 = 640 GB",
        "12 + 5 == 18",
        "12 + 5 >= 18",
        "12 + 5 = 18 + x",
        "12 + 5 = 18x + 2",
        "100 tok/s × 2 s = 300 tokens",
        "5 of 8 runs is 3% slower",
        "24/7 (99%)",
        "the score 82.7 / 83.1 (2%)",
        "2026-03-02 + 4 = 9",
        "from 4 to 8 cards (p. 12%)",
        "pass@1/10 (20%)",
        "3 × 4 = 100",
        "12:30 + 5 = 40",
        "ports 80/81 = 3%",
        "$3 × 4 = $13",
        "4x reset + 3x copy + 2x wait = ~5 points of waiting",
        "Halves the count 128→64 (+35%)",
        "64 streams × 32 new tokens = 3666 aggregate tok/s",
    ] {
        silent(text);
    }
}

#[test]
fn a_table_shows_itself_what_its_totals_are() {
    let header: Vec<String> = ["part", "weights", "cache", "total"].map(String::from).into();
    let row = |cells: [&str; 4]| cells.map(String::from).to_vec();
    let rows = vec![
        row(["a", "54.0 GiB", "4.0 GiB", "58.0 GiB"]),
        row(["b", "40.5 GiB", "2.5 GiB", "43.0 GiB"]),
        row(["c", "30.0 GiB", "2.0 GiB", "34.0 GiB"]),
    ];
    let grid = Grid { header: &header, rows: &rows };
    let found = totals(grid, &words());
    let failing: Vec<_> = found.iter().filter(|(_, e)| e.outcome == Outcome::Fails).collect();
    assert_eq!(failing.len(), 1);
    assert_eq!((failing[0].0, failing[0].1.computed.as_str()), (2, "32.0 GiB"));
    // Nothing shows that speeds add up.
    let rows = vec![row(["a", "54.0 tok/s", "4.0 tok/s", "31.0 tok/s"])];
    assert_eq!(totals(Grid { header: &header, rows: &rows }, &words()), []);
}

#[test]
fn a_row_of_totals_is_compared_with_the_rows_above() {
    let header: Vec<String> = ["part", "size", "speed"].map(String::from).into();
    let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
    let rows = vec![
        row(["a", "12.0 GiB", "90"]),
        row(["b", "30.0 GiB", "80"]),
        row(["Total", "44.0 GiB", "85"]),
    ];
    let found = totals(Grid { header: &header, rows: &rows }, &words());
    // Two columns, and neither shows that it is summed.
    assert_eq!(found, []);
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row[..2].to_vec()).collect();
    let found = totals(Grid { header: &header[..2], rows: &rows }, &words());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, found[0].1.outcome), (2, Outcome::Fails));
    assert_eq!(found[0].1.computed, "42.0 GiB");
}

proptest::proptest! {
    /// Whatever the text, it is read in the end and without a panic.
    #[test]
    fn any_text_is_read(text in "[0-9 .,+*/x×=≈→()%GiBMms约的-]{0,60}") {
        equations(&text, &words());
    }

    /// A sum that is right is never called wrong.
    #[test]
    fn right_sums_hold(a in 1u32..9999, b in 1u32..9999, places in 0usize..3) {
        let scale = 10f64.powi(i32::try_from(places).unwrap());
        let (x, y) = (f64::from(a) / scale, f64::from(b) / scale);
        let text = format!("{x:.places$} + {y:.places$} = {:.places$} GiB", x + y);
        proptest::prop_assert!(equations(&text, &words()).iter().all(|e| e.outcome == Outcome::Holds), "{text}");
        let text = format!("{x:.places$} × {y:.places$} = {:.places$}", x * y);
        proptest::prop_assert!(equations(&text, &words()).iter().all(|e| e.outcome == Outcome::Holds), "{text}");
        let text = format!("{x:.places$} → {y:.places$} ({:+.1}%)", (y / x - 1.0) * 100.0);
        proptest::prop_assert!(equations(&text, &words()).iter().all(|e| e.outcome == Outcome::Holds), "{text}");
    }
}
