/// The common features of the strings of a place.
struct Texts {
    private var count = 0
    private var distinct: [String] = []
    private var known: Set<String> = []
    private var isClosed = true
    /// The formats that all strings have.
    private var forms: Set<TextForm> = Set(TextForm.allCases)

    private static let mostCases = 12
    private static let longestCase = 32

    mutating func add(_ text: String) {
        count += 1
        if !forms.isEmpty { forms = forms.filter { $0.matches(text) } }
        guard isClosed, !known.contains(text) else { return }
        guard distinct.count < Self.mostCases, Self.mayBeCase(text) else {
            isClosed = false
            return
        }
        known.insert(text)
        distinct.append(text)
    }

    /// The common format; nil if there is none.
    var form: TextForm? { count > 0 ? TextForm.allCases.first { forms.contains($0) } : nil }

    /// The cases of a closed set; nil if there is no evidence of one.
    ///
    /// The cases are few, and each appears three times on average.
    var cases: [String]? {
        guard isClosed, distinct.count > 1, count >= 3 * distinct.count, count >= 9 else { return nil }
        return distinct
    }

    private static func mayBeCase(_ text: String) -> Bool {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= longestCase else { return false }
        var hasLetter = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): hasLetter = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): break
            default: return false
            }
        }
        return hasLetter
    }
}

/// A format of strings for which Swift has a type that writes them back unchanged.
enum TextForm: CaseIterable, Hashable {
    case seconds
    case milliseconds
    case lowercaseUUID
    case uppercaseUUID
    case url

    func matches(_ text: String) -> Bool {
        switch self {
        case .seconds: Self.isDate(text, count: 20)
        case .milliseconds: Self.isDate(text, count: 24)
        case .lowercaseUUID: Self.isUUID(text, letters: UInt8(ascii: "a")...UInt8(ascii: "f"))
        case .uppercaseUUID: Self.isUUID(text, letters: UInt8(ascii: "A")...UInt8(ascii: "F"))
        case .url: Self.isURL(text)
        }
    }

    var type: ValueType {
        switch self {
        case .seconds: .date(hasMilliseconds: false)
        case .milliseconds: .date(hasMilliseconds: true)
        case .lowercaseUUID: .uuid(isUppercase: false)
        case .uppercaseUUID: .uuid(isUppercase: true)
        case .url: .url
        }
    }

    /// Returns whether the text is `2026-01-31T12:00:00Z`, with or without milliseconds.
    ///
    /// Another offset would be lost, and other digits would change.
    private static func isDate(_ text: String, count: Int) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == count, fits(bytes, "0000-00-00T00:00:00" + (count == 24 ? ".000Z" : "Z")) else {
            return false
        }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        // The calendar before 1582 is ambiguous.
        return year > 1582 && (1...12).contains(month) && day > 0 && day <= days[month - 1]
            && number(11..<13) < 24 && number(14..<16) < 60 && number(17..<19) < 60
    }

    private static func isUUID(_ text: String, letters: ClosedRange<UInt8>) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == UInt8(ascii: "-")
                : letters.contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }

    /// Returns whether the text is an absolute http URL in characters that no parser changes.
    private static func isURL(_ text: String) -> Bool {
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            let rest = text.utf8.dropFirst(scheme.utf8.count)
            // Host and port. Some parsers refuse or rewrite a user or a second colon.
            let authority = rest.prefix { !"/?#".utf8.contains($0) }.split(
                separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard let host = authority.first, let first = host.first, isAlphanumeric(first), authority.count < 3,
                host.allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }),
                authority.dropFirst().allSatisfy({
                    (1...5).contains($0.count) && $0.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
                })
            else { return false }
            var percent = 0
            for byte in rest {
                if percent > 0 {
                    guard isHexadecimal(byte) else { return false }
                    percent -= 1
                } else if byte == UInt8(ascii: "%") {
                    percent = 2
                } else if !isAlphanumeric(byte), !"-._~:/?#@!$&'()*+,;=".utf8.contains(byte) {
                    return false
                }
            }
            return percent == 0 && rest.count { $0 == UInt8(ascii: "#") } < 2
        }
        return false
    }

    /// - Parameter pattern: a text in which `0` stands for any digit.
    private static func fits(_ bytes: [UInt8], _ pattern: String) -> Bool {
        zip(bytes, pattern.utf8).allSatisfy { byte, wanted in
            wanted == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == wanted
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
