/// What is secret in an exchange, and is replaced by `***` before a recording is written.
///
/// A name is secret when it has a word such as token, key, secret, password, signature or session
/// in it: the name of a field, of an item in a query or a form, of a cookie, or of a member in
/// JSON. `Authorization`, `Cookie`, `Set-Cookie` and their like are secret whatever they hold, and
/// so is user info in a URL. A value that was secret once, and is no mere word, is replaced
/// wherever else it stands in the recording: in a path, in an echo, in plain text. Numbers below a
/// secret name become 0, so that an answer still decodes.
///
/// What no rule can know stays: a secret in a path, or in plain text, that has no name anywhere.
/// Give it by ``hiding(values:)``, and read a recording before you share it.
public struct Redaction: Sendable {
    /// The rules above, and no others.
    public static let standard = Redaction()

    var hidden: Set<String> = []
    var shown: Set<String> = []
    var values: Set<String> = []

    /// These names are secret as well, whatever their case and separators: `iban`, for one.
    public func hiding(names: [String]) -> Redaction {
        var copy = self
        copy.hidden.formUnion(names.map(Self.folded))
        return copy
    }

    /// These texts are secret wherever they stand: the key of the environment that is recorded.
    public func hiding(values: [String]) -> Redaction {
        var copy = self
        copy.values.formUnion(values.filter { !$0.isEmpty })
        return copy
    }

    /// These names are not secret, though they look so: `nextPageToken`.
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

    /// Too short to be looked for within other words.
    private static let wholeWords: Set<String> = [
        "key", "keys", "auth", "pwd", "pass", "pin", "otp", "sid", "sig", "session", "bearer", "cvv", "cvc", "ssn",
    ]

    static func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// `X-APIKey_id2` has the words x, api, key and id2.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let previous = index > 0 ? letters[index - 1] : " "
            let next = index + 1 < letters.count ? letters[index + 1] : " "
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
