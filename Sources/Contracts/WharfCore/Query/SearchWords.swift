internal import WharfPrimitives

/// The words of a full-text search, in the form that every store compares.
///
/// A text matches if each search word begins one of its words. `"milk bre"` finds "Bread and Milk".
///
/// - A word is a run of letters, marks and digits. An ideograph is a word of its own.
/// - Case does not count. Diacritics of Latin, Greek and Cyrillic letters do not count either:
///   "cafe" finds "Café", and "lodz" finds "Łódź".
/// - Only the first 100 letters of a word count.
/// - Everything else is compared by its UTF-8 bytes.
public struct SearchWords: Sendable {
    /// The distinct words in the order of the text.
    public let words: [String]

    /// Creates the words of a text, such as the input of a search field.
    public init(_ text: String) {
        var known: Set<UTF8Key> = []
        words = Self.words(of: text).filter { known.insert(UTF8Key($0)).inserted }
    }

    /// Returns whether a text matches. A search without a word matches every text.
    ///
    /// - Complexity: linear in the text, times the number of words.
    public func matches(_ text: String) -> Bool {
        if words.isEmpty { return true }
        var missing = words[...]
        for word in Self.words(of: text) {
            missing.removeAll { word.utf8.starts(with: $0.utf8) }
            if missing.isEmpty { return true }
        }
        return false
    }

    /// The limit of letters in a word. SQLite has a limit too, in bytes.
    private static let longest = 100

    private static func words(of text: String) -> [String] {
        var words: [String] = []
        // Bytes, because most letters are a single byte.
        var (word, length): ([UInt8], Int) = ([], 0)
        func end() {
            if length > 0 { words.append(String(decoding: word, as: UTF8.self)) }
            word.removeAll(keepingCapacity: true)
            length = 0
        }
        for scalar in text.unicodeScalars {
            switch Kind(scalar) {
            // A mark without a letter, such as the mark of an emoji, is no word.
            case .mark where length == 0: continue
            case .letter, .mark:
                if length < longest { append(scalar, to: &word) }
                length += 1
            // Chinese and Japanese have no spaces. Each ideograph is a word, so that a search finds
            // it anywhere.
            case .ideograph:
                end()
                append(scalar, to: &word)
                length = 1
                end()
            case .ignored: continue
            case .other: end()
            }
        }
        end()
        return words
    }

    private static func append(_ scalar: Unicode.Scalar, to word: inout [UInt8]) {
        if scalar.isASCII {
            // The two cases of a letter differ by 32. Most letters are ASCII, and need no look-up
            // of Unicode properties.
            let isUpper = 0x41...0x5A ~= scalar.value
            word.append(UInt8(scalar.value) + (isUpper ? 32 : 0))
            return
        }
        for lower in scalar.properties.lowercaseMapping.unicodeScalars where Kind(lower) != .ignored {
            word.append(contentsOf: String(withoutDiacritics[lower] ?? lower).utf8)
        }
    }

    private enum Kind {
        case letter, mark, ideograph, other
        /// Diacritics of Latin, Greek and Cyrillic letters, and variation selectors.
        case ignored

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: self = .letter
            case ..<0x80: self = .other
            case 0x300...0x36F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .ignored
            default: self.init(scalar.properties)
            }
        }

        private init(_ properties: Unicode.Scalar.Properties) {
            if properties.isIdeographic {
                self = .ideograph
                return
            }
            switch properties.generalCategory {
            // Marks are parts of letters, such as the vowels of Devanagari.
            case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
            case .decimalNumber, .letterNumber, .otherNumber: self = .letter
            default: self = properties.isAlphabetic ? .letter : .other
            }
        }
    }

    /// The base letters of lower-case letters with diacritics.
    ///
    /// They are derived from the Unicode names: "LATIN SMALL LETTER E WITH ACUTE" has the base
    /// "LATIN SMALL LETTER E". The standard library has no decompositions.
    private static let withoutDiacritics: [Unicode.Scalar: Unicode.Scalar] = {
        // The names of these letters do not contain their base letter.
        var letters: [Unicode.Scalar: Unicode.Scalar] = [
            "й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к", "ς": "σ",
        ]
        // Latin, Greek and Cyrillic.
        let blocks: [ClosedRange<UInt32>] = [0x61...0x7A, 0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF]
        let named = blocks.joined().compactMap(Unicode.Scalar.init).compactMap { scalar in
            scalar.properties.name.map { (name: $0, scalar: scalar) }
        }
        let scalars = Dictionary(named.map { ($0.name, $0.scalar) }) { first, _ in first }
        for (name, scalar) in named where name.contains(" SMALL LETTER ") {
            // "… WITH ACUTE" and the like: the part before it names the base letter.
            guard let with = name.firstRange(of: " WITH ") else { continue }
            if let letter = scalars[String(name[..<with.lowerBound])] { letters[scalar] = letter }
        }
        return letters
    }()
}

extension SearchWords: Hashable {
    public static func == (a: Self, b: Self) -> Bool { a.words.map(UTF8Key.init) == b.words.map(UTF8Key.init) }

    public func hash(into hasher: inout Hasher) { hasher.combine(words.map(UTF8Key.init)) }
}
