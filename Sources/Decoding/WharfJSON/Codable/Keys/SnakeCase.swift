/// The key conversions of Foundation's strategies, with the same results.
///
/// Foundation uses its own tables of letters. This code uses Unicode's general categories, which
/// agree (compared for every scalar below U+20000).
enum SnakeCase {
    /// Converts `one_two__three_` to `oneTwoThree_`: underscores at both ends stay.
    static func toCamel(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let joined = words[0].lowercased() + words.dropFirst().map(capitalized).joined()
        return key[..<first] + joined + key[key.index(after: last)...]
    }

    /// Converts `myURLProperty` to `my_url_property`.
    ///
    /// A word begins at a capital after a small letter, and at the last of several capitals before
    /// a small letter.
    static func fromCamel(_ key: String) -> String {
        guard !key.isEmpty else { return key }
        var words: [Substring] = []
        var wordStart = key.startIndex
        var searchStart = key.index(after: wordStart)
        while let upper = index(in: key, from: searchStart, where: isUppercase) {
            words.append(key[wordStart..<upper])
            guard let lower = index(in: key, from: upper, where: isLowercase) else {
                wordStart = upper
                break
            }
            // One capital begins the word: `my|Url`.
            if lower == key.index(after: upper) {
                wordStart = upper
            } else {
                // Several capitals: all but the last are a word, as in `my|URL|Property`.
                let lastCapital = key.index(before: lower)
                words.append(key[upper..<lastCapital])
                wordStart = lastCapital
            }
            searchStart = key.unicodeScalars.index(after: lower)
        }
        words.append(key[wordStart...])
        return words.map { $0.lowercased() }.joined(separator: "_")
    }

    private static func index(
        in key: String, from start: String.Index, where matches: (Unicode.Scalar) -> Bool
    ) -> String.Index? {
        key.unicodeScalars[start...].firstIndex(where: matches)
    }

    /// Returns a word with the first letter of each run in uppercase, and the others in lowercase.
    ///
    /// Some marks, such as an apostrophe, do not end a run.
    private static func capitalized(_ word: Substring) -> String {
        var text = ""
        var isInside = false
        for scalar in word.unicodeScalars {
            if isUppercase(scalar) {
                text += isInside ? scalar.properties.lowercaseMapping : String(scalar)
                isInside = true
            } else if isLowercase(scalar) {
                text += isInside ? String(scalar) : scalar.properties.titlecaseMapping
                isInside = true
            } else {
                text += String(scalar)
                if !isIgnorable(scalar) { isInside = false }
            }
        }
        return text
    }

    private static func isUppercase(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return category == .uppercaseLetter || category == .titlecaseLetter
    }

    private static func isLowercase(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .lowercaseLetter
    }

    private static func isIgnorable(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.isCaseIgnorable else { return false }
        switch scalar.properties.generalCategory {
        case .otherPunctuation: return scalar == "'"
        case .initialPunctuation: return false
        default: return true
        }
    }
}
