/// The words of a key, from which Swift names are made.
struct Words: Sendable, Hashable {
    /// The words as in the key, without separators.
    let all: [String]

    /// - Parameter text: split at characters other than letters and digits, and where a capital
    ///   follows a small letter. `user_id`, `user-id`, `userID` and `HTMLText` have two words each.
    init(_ text: String) {
        var all: [String] = []
        var word = ""
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { all.append(word) }
                word = ""
                continue
            }
            if let last = word.last, character.isUppercase {
                let next = index + 1 < characters.count ? characters[index + 1] : nil
                let behind = index + 2 < characters.count ? characters[index + 2] : nil
                // The plural of an acronym: `userIDs`, `PDFsOfUsers`.
                let isPlural = next == "s" && !(behind?.isLowercase ?? false)
                let startsWord = last.isUppercase && !isPlural && next.map { $0.isLowercase } ?? false
                if !last.isUppercase || startsWord {
                    all.append(word)
                    word = ""
                }
            }
            word.append(character)
        }
        if !word.isEmpty { all.append(word) }
        self.all = all
    }

    func upperCamelCase(_ acronyms: Set<String>) -> String {
        all.map { Self.capitalized($0, acronyms) }.joined()
    }

    func lowerCamelCase(_ acronyms: Set<String>) -> String {
        guard let first = all.first else { return "" }
        return first.lowercased() + all.dropFirst().map { Self.capitalized($0, acronyms) }.joined()
    }

    private static func capitalized(_ word: String, _ acronyms: Set<String>) -> String {
        let lower = word.lowercased()
        if acronyms.contains(lower) { return word.uppercased() }
        // The plural of an acronym: `userIDs`.
        if lower.last == "s", acronyms.contains(String(lower.dropLast())) { return word.dropLast().uppercased() + "s" }
        guard let first = word.first else { return word }
        return first.uppercased() + word.dropFirst().lowercased()
    }

    /// Returns the singular of a plural, by the rules of English that need no dictionary.
    ///
    /// The elements of `categories` are named `category`.
    static func singular(_ text: String) -> String {
        let lower = text.lowercased()
        if unchanged.contains(where: { lower.hasSuffix($0) }) { return text }
        for (many, one) in irregular where lower.hasSuffix(many) {
            let rest = text.dropLast(many.count)
            let isCapital = text.dropFirst(rest.count).first?.isUppercase ?? false
            return rest + (isCapital ? one.prefix(1).uppercased() + one.dropFirst() : one)
        }
        if lower.hasSuffix("ies"), lower.count > 4 { return text.dropLast(3) + "y" }
        for ending in ["sses", "shes", "ches", "xes", "zes", "uses"] where lower.hasSuffix(ending) {
            return String(
                text.dropLast(ending == "uses" && !lower.hasSuffix("tuses") && !lower.hasSuffix("buses") ? 1 : 2))
        }
        for ending in ["ss", "us", "is", "as", "os"] where lower.hasSuffix(ending) { return text }
        return lower.hasSuffix("s") && lower.count > 3 ? String(text.dropLast()) : text
    }

    /// Returns the plural of a singular.
    static func plural(_ text: String) -> String {
        for (many, one) in irregular where text.hasSuffix(one) { return text.dropLast(one.count) + many }
        if text.hasSuffix("y"), let before = text.dropLast().last, !"aeiou".contains(before) {
            return text.dropLast() + "ies"
        }
        let hisses = ["s", "x", "z", "ch", "sh"].contains { text.hasSuffix($0) }
        return text + (hisses ? "es" : "s")
    }

    private static let unchanged = ["series", "species", "news", "status", "address", "metadata", "analysis"]
    private static let irregular: [(String, String)] = [
        ("people", "person"), ("children", "child"), ("indices", "index"), ("vertices", "vertex"),
        ("matrices", "matrix"),
        ("men", "man"), ("movies", "movie"), ("leaves", "leaf"), ("videos", "video"), ("photos", "photo"),
        ("todos", "todo"),
        ("logos", "logo"), ("ids", "id"), ("urls", "url"), ("media", "medium"), ("criteria", "criterion"),
        ("feet", "foot"),
        ("caches", "cache"), ("axes", "axis"),
    ]
}
