/// The rules for secrets, which are replaced by `***` before a recording is written.
///
/// - A name is secret if it contains a word such as token, key, secret, password, signature or
///   session. That holds for fields, items of a query or a form, cookies, and members of JSON.
/// - `Authorization`, `Cookie`, `Set-Cookie` and similar fields are always secret, and so is user
///   info in a URL.
/// - A secret value is replaced in all of the recording: in a path, in an echo, in plain text.
///   Common words are exempt.
/// - Numbers below a secret name become 0, so that an answer still decodes.
///
/// A secret in a path or in plain text that has no name anywhere is not found. Hide it with
/// ``hiding(values:)``, and read a recording before you share it.
public struct Redaction: Sendable {
    /// The rules above, without additions.
    public static let standard = Redaction()

    var hidden: Set<String> = []
    var shown: Set<String> = []
    var values: Set<String> = []

    /// Returns the rules with more secret names, such as `iban`.
    ///
    /// Case and separators are ignored.
    public func hiding(names: [String]) -> Redaction {
        var copy = self
        copy.hidden.formUnion(names.map(Self.folded))
        return copy
    }

    /// Returns the rules with secret texts, which are replaced wherever they occur.
    ///
    /// An example is the key of the environment that is recorded.
    public func hiding(values: [String]) -> Redaction {
        var copy = self
        copy.values.formUnion(values.filter { !$0.isEmpty })
        return copy
    }

    /// Returns the rules with names that only look secret: `nextPageToken`.
    public func showing(names: [String]) -> Redaction {
        var copy = self
        copy.shown.formUnion(names.map(Self.folded))
        return copy
    }

    static let marker = "***"

    func isSecret(_ name: String) -> Bool {
        let folded = Self.folded(name)
        if shown.contains(folded) { return false }
        if hidden.contains(folded) || Self.fragments.contains(where: { folded.contains($0) }) { return true }
        return Self.words(of: name).contains(where: Self.wholeWords.contains)
    }

    private static let fragments = [
        "token", "secret", "password", "passwd", "passphrase", "credential", "apikey", "accesskey", "privatekey",
        "signature", "authorization", "cookie", "sessionid", "jwt",
    ]

    /// Words that are too short to be searched within other words.
    private static let wholeWords: Set<String> = [
        "key", "keys", "auth", "pwd", "pass", "pin", "otp", "sid", "sig", "session", "bearer", "cvv", "cvc", "ssn",
    ]

    static func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// Returns the words of a name: `X-APIKey_id2` has the words x, api, key and id2.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let previous = index > 0 ? letters[index - 1] : " "
            let next = index + 1 < letters.count ? letters[index + 1] : " "
            // A capital begins a word, except inside an abbreviation: in "APIKey" the words are
            // "API" and "Key".
            let isStart = letter.isUppercase && (!previous.isUppercase || next.isLowercase)
            if isStart || !(letter.isLetter || letter.isNumber) {
                words.append(word)
                word = ""
            }
            if letter.isLetter || letter.isNumber { word += letter.lowercased() }
        }
        return (words + [word]).filter { !$0.isEmpty }
    }
}
