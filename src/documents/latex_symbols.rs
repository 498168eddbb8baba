//! What LaTeX's commands show: characters, accents, units, and the commands that show nothing.

use unicode_normalization::char::compose;

/// Commands that stand for characters.
const SYMBOLS: &[(&str, &str)] = &[
    ("textbackslash", "\\"),
    ("ldots", "…"),
    ("dots", "…"),
    ("cdots", "…"),
    ("textellipsis", "…"),
    ("times", "×"),
    ("texttimes", "×"),
    ("pm", "±"),
    ("textpm", "±"),
    ("approx", "≈"),
    ("sim", "~"),
    ("textasciitilde", "~"),
    ("le", "≤"),
    ("leq", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("neq", "≠"),
    ("ne", "≠"),
    ("ll", "≪"),
    ("gg", "≫"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("Rightarrow", "⇒"),
    ("leftarrow", "←"),
    ("uparrow", "↑"),
    ("downarrow", "↓"),
    ("cdot", "·"),
    ("div", "÷"),
    ("infty", "∞"),
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "µ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("omega", "ω"),
    ("Delta", "Δ"),
    ("Sigma", "Σ"),
    ("Omega", "Ω"),
    ("textmu", "µ"),
    ("textdegree", "°"),
    ("degree", "°"),
    ("checkmark", "✓"),
    ("cmark", "✓"),
    ("xmark", "✗"),
    ("dag", "†"),
    ("dagger", "†"),
    ("ddag", "‡"),
    ("S", "§"),
    ("textendash", "–"),
    ("textemdash", "—"),
    ("textless", "<"),
    ("textgreater", ">"),
    ("textbar", "|"),
    ("textunderscore", "_"),
    ("textasciicircum", "^"),
    ("lt", "<"),
    ("gt", ">"),
    ("LaTeX", "LaTeX"),
    ("TeX", "TeX"),
    ("ss", "ß"),
    ("ae", "æ"),
    ("AE", "Æ"),
    ("o", "ø"),
    ("O", "Ø"),
    ("aa", "å"),
    ("AA", "Å"),
    ("l", "ł"),
    ("i", "ı"),
    ("euro", "€"),
    ("pounds", "£"),
    ("quad", " "),
    ("qquad", " "),
    ("newline", " "),
    ("linebreak", " "),
    ("space", " "),
    ("textbullet", "•"),
    ("bullet", "•"),
    ("star", "★"),
    ("percent", "%"),
];

/// Units and prefixes as the package for units spells them.
const UNITS: &[(&str, &str)] = &[
    ("giga", "G"),
    ("mega", "M"),
    ("kilo", "k"),
    ("tera", "T"),
    ("milli", "m"),
    ("micro", "µ"),
    ("nano", "n"),
    ("pico", "p"),
    ("gibi", "Gi"),
    ("mebi", "Mi"),
    ("kibi", "Ki"),
    ("tebi", "Ti"),
    ("byte", "B"),
    ("bit", "bit"),
    ("second", "s"),
    ("minute", "min"),
    ("hour", "h"),
    ("meter", "m"),
    ("metre", "m"),
    ("gram", "g"),
    ("hertz", "Hz"),
    ("watt", "W"),
    ("volt", "V"),
    ("ampere", "A"),
    ("joule", "J"),
    ("kelvin", "K"),
    ("celsius", "°C"),
    ("percent", "%"),
    ("per", "/"),
    ("liter", "L"),
    ("litre", "L"),
    ("mole", "mol"),
    ("molar", "M"),
];

/// How many arguments in braces to drop after commands that show nothing.
const DROPPED: &[(&str, usize)] = &[
    ("label", 1),
    ("ref", 1),
    ("eqref", 1),
    ("autoref", 1),
    ("cref", 1),
    ("Cref", 1),
    ("pageref", 1),
    ("nameref", 1),
    ("input", 1),
    ("include", 1),
    ("includegraphics", 1),
    ("bibliography", 1),
    ("bibliographystyle", 1),
    ("usepackage", 1),
    ("documentclass", 1),
    ("vspace", 1),
    ("hspace", 1),
    ("setlength", 2),
    ("addtolength", 2),
    ("setcounter", 2),
    ("pagestyle", 1),
    ("thispagestyle", 1),
    ("graphicspath", 1),
    ("newcommand", 2),
    ("renewcommand", 2),
    ("providecommand", 2),
    ("definecolor", 3),
    ("color", 1),
    ("textcolor", 1),
    ("colorbox", 1),
    ("rowcolor", 1),
    ("cellcolor", 1),
    ("columncolor", 1),
    ("cline", 1),
    ("cmidrule", 1),
    ("hhline", 1),
    ("author", 1),
    ("date", 1),
    ("affiliation", 1),
    ("email", 1),
    ("resizebox", 2),
    ("scalebox", 1),
    ("fontsize", 2),
    ("rule", 2),
    ("phantom", 1),
    ("hypersetup", 1),
    ("index", 1),
    ("nocite", 1),
    ("tag", 1),
    ("raisebox", 1),
    ("parbox", 1),
    ("arraystretch", 1),
    ("addlinespace", 0),
];

/// The characters a command stands for.
pub(super) fn symbol(name: &str) -> Option<&'static str> {
    SYMBOLS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, shown)| *shown)
}

/// A unit or prefix.
pub(super) fn unit(name: &str) -> Option<&'static str> {
    UNITS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, shown)| *shown)
}

/// How many arguments in braces go with a command that shows nothing.
pub(super) fn dropped(name: &str) -> Option<usize> {
    if name.starts_with("cite") || name.ends_with("cite") {
        return Some(1);
    }
    DROPPED
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, arguments)| *arguments)
}

/// A letter under the accent of a one-character command.
pub(super) fn accented(accent: char, letter: char) -> Option<char> {
    let mark = match accent {
        '\'' => '\u{301}',
        '`' => '\u{300}',
        '^' => '\u{302}',
        '"' => '\u{308}',
        '~' => '\u{303}',
        '=' => '\u{304}',
        '.' => '\u{307}',
        'c' => '\u{327}',
        'v' => '\u{30c}',
        _ => return None,
    };
    compose(if letter == 'ı' { 'i' } else { letter }, mark)
}
