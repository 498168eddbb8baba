//! One spelling for Han characters, so that rules are written once: 驗證 reads as 验证.

use std::sync::LazyLock;

/// The characters that have a simplified form lie in this range.
const FIRST: u32 = 0x3400;
const LAST: u32 = 0x9fff;

/// The simplified form of each character of the range, made when the first one is met.
static SIMPLIFIED: LazyLock<Vec<char>> = LazyLock::new(|| {
    let form = |code| {
        let traditional = char::from_u32(code)?;
        let text = fast2s::convert(traditional.encode_utf8(&mut [0; 4]));
        let mut forms = text.chars();
        // Places in the text stay what they are only if the form takes as many bytes.
        let simplified = forms.next().filter(|it| it.len_utf8() == traditional.len_utf8());
        Some(simplified.filter(|_| forms.next().is_none()).unwrap_or(traditional))
    };
    (FIRST..=LAST).map(|code| form(code).unwrap_or('\u{fffd}')).collect()
});

/// The simplified form of a character, itself where it has none. Takes as many bytes.
pub(super) fn simplified(c: char) -> char {
    match u32::from(c) {
        code @ FIRST..=LAST => SIMPLIFIED.get((code - FIRST) as usize).copied().unwrap_or(c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traditional_text_reads_as_simplified() {
        let read = |text: &str| text.chars().map(simplified).collect::<String>();
        assert_eq!(read("復測驗證啟動失敗"), "复测验证启动失败");
        assert_eq!(read("三张卡 tok/s"), "三张卡 tok/s");
        for code in FIRST..=LAST {
            let c = char::from_u32(code).unwrap();
            assert_eq!(simplified(c).len_utf8(), c.len_utf8());
        }
    }
}
