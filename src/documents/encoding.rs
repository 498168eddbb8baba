//! Bytes to text: byte order marks, UTF-8, UTF-16 without a mark, then a guess among the rest.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// What git stores in the place of a file that Git LFS keeps elsewhere begins so.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\noid ";

/// Decoded bytes.
pub(super) struct Decoded {
    /// The text, without a byte order mark.
    pub(super) text: String,
    /// The encoding's name, as the web writes it.
    pub(super) encoding: &'static str,
    /// What was lost, one sentence each.
    pub(super) problems: Vec<String>,
}

/// Decodes a file.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    if bytes.starts_with(LFS_POINTER) {
        return unreadable("is a Git LFS pointer: its text is not in this repository");
    }
    if bytes.starts_with(b"\xff\xfe\0\0") || bytes.starts_with(b"\0\0\xfe\xff") {
        return unreadable("is written in UTF-32, which is not read");
    }
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return decode_as(encoding, bytes.get(mark..).unwrap_or_default());
    }
    if let Some(encoding) = unmarked_utf_16(bytes) {
        return decode_as(encoding, bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            Decoded { text: text.to_owned(), encoding: UTF_8.name(), problems: nul_problem(text) }
        }
        Err(_) if mostly_utf_8(bytes) => decode_as(UTF_8, bytes),
        Err(_) if is_binary(bytes) => unreadable("is binary, no text"),
        Err(_) => {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
            detector.feed(bytes, true);
            decode_as(detector.guess(None, Utf8Detection::Deny), bytes)
        }
    }
}

fn decode_as(encoding: &'static Encoding, bytes: &[u8]) -> Decoded {
    let (text, broken) = encoding.decode_without_bom_handling(bytes);
    let mut problems = nul_problem(&text);
    if broken {
        problems.push(format!("not valid {}: unreadable bytes were replaced", encoding.name()));
    }
    Decoded { text: text.into_owned(), encoding: encoding.name(), problems }
}

fn unreadable(why: &str) -> Decoded {
    Decoded { text: String::new(), encoding: "", problems: vec![why.to_owned()] }
}

fn nul_problem(text: &str) -> Vec<String> {
    if text.contains('\0') { vec!["contains NUL characters".to_owned()] } else { Vec::new() }
}

/// UTF-16 shows in NUL bytes at only odd or only even places, for line breaks and spaces at least.
fn unmarked_utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    if !bytes.len().is_multiple_of(2) || !bytes.contains(&0) {
        return None;
    }
    let (pairs, _) = bytes.as_chunks::<2>();
    let even = pairs.iter().filter(|pair| pair[0] == 0).count();
    let odd = pairs.iter().filter(|pair| pair[1] == 0).count();
    let (encoding, zeros) = match (even, odd) {
        (0, odd) => (UTF_16LE, odd),
        (even, 0) => (UTF_16BE, even),
        _ => return None,
    };
    // Western text is full of them. Chinese has few, but its other halves look like controls, which
    // stray NUL bytes in 8-bit text do not bring along.
    let western = zeros.saturating_mul(2) >= pairs.len();
    let controls = bytes.iter().filter(|byte| **byte != 0 && is_control(**byte)).count();
    let eastern = zeros > 1
        && zeros.saturating_mul(50) >= pairs.len()
        && controls.saturating_mul(100) >= bytes.len();
    let whole = !encoding.decode_without_bom_handling(bytes).1;
    ((western || eastern) && whole).then_some(encoding)
}

/// Whether few broken bytes stand among many good sequences: damaged, not another encoding.
fn mostly_utf_8(bytes: &[u8]) -> bool {
    let (mut good, mut broken) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    good > broken.saturating_mul(4)
}

fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().filter(|byte| is_control(**byte)).count() > bytes.len() / 20
}

fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, GB18030, SHIFT_JIS, WINDOWS_1252};

    const ENGLISH: &str = "Caf\u{e9} benchmark: three cards fail at 90 \u{b5}s, r\u{e9}sultat n\u{e9}gatif \u{b1} 2.\n";
    const CHINESE: &str = "# \u{5b9e}\u{6d4b}\u{7ed3}\u{679c}\n\n\u{4e09}\u{5f20}\u{663e}\u{5361}\u{5931}\u{8d25}\u{ff0c}\u{663e}\u{5b58}\u{4e0d}\u{8db3}\u{3002}\u{4e24}\u{5f20}\u{5361}\u{6b63}\u{5e38}\u{ff0c}\u{901f}\u{5ea6} 98.1 tok/s\u{3002}\n";
    const TAIWAN: &str = "\u{5be6}\u{6e2c}\u{7d50}\u{679c}\u{ff1a}\u{4e09}\u{5f35}\u{986f}\u{793a}\u{5361}\u{5931}\u{6557}\u{ff0c}\u{8a18}\u{61b6}\u{9ad4}\u{4e0d}\u{8db3}\u{3002}\u{6e2c}\u{8a66}\u{901a}\u{904e}\u{3002}\n";
    const JAPANESE: &str = "\u{5b9f}\u{6e2c}\u{7d50}\u{679c}\u{ff1a}\u{4e09}\u{679a}\u{306e}\u{30ab}\u{30fc}\u{30c9}\u{3067}\u{306f}\u{5931}\u{6557}\u{3057}\u{307e}\u{3057}\u{305f}\u{3002}\u{30e1}\u{30e2}\u{30ea}\u{304c}\u{8db3}\u{308a}\u{307e}\u{305b}\u{3093}\u{3002}\n";

    #[test]
    fn legacy_encodings_come_back_whole() {
        for (encoding, text) in
            [(WINDOWS_1252, ENGLISH), (GB18030, CHINESE), (BIG5, TAIWAN), (SHIFT_JIS, JAPANESE)]
        {
            let (bytes, ..) = encoding.encode(text);
            let decoded = decode(&bytes);
            assert_eq!(decoded.text, text, "{}", encoding.name());
            assert!(decoded.problems.is_empty());
        }
    }

    #[test]
    fn utf_16_is_known_with_and_without_a_mark() {
        for text in [ENGLISH, CHINESE] {
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for (bytes, mark) in [(little, [0xff, 0xfe]), (big, [0xfe, 0xff])] {
                assert_eq!(decode(&bytes).text, text);
                let marked: Vec<u8> = mark.into_iter().chain(bytes).collect();
                assert_eq!(decode(&marked).text, text);
            }
        }
    }

    #[test]
    fn damage_is_a_problem_not_another_encoding() {
        let mut bytes = CHINESE.as_bytes().to_vec();
        bytes.push(0xff);
        let decoded = decode(&bytes);
        assert_eq!((decoded.encoding, decoded.problems.len()), ("UTF-8", 1));
        assert!(decoded.text.starts_with(CHINESE));
        assert_eq!(decode(b"a\0b").problems.len(), 1);
        assert_eq!(decode(b"\x7fELF\0\x80\xff\0").problems, ["is binary, no text"]);
    }
}
