/// An e-mail address in ASCII, such as `ada@example.com`.
///
/// It is an `addr-spec` (RFC 5322 §3.4.1) that SMTP can carry (RFC 5321 §4.1.2). An
/// internationalised domain is written as `xn--…`. An internationalised local part needs SMTPUTF8
/// (RFC 6531), which is not supported.
public struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    /// The part before the `@`, with its quotes if it has them: `"ada lovelace"`.
    public let localPart: String
    /// A domain name, or an IP address in brackets: `[192.0.2.7]`.
    public let domain: String

    public var description: String { "\(localPart)@\(domain)" }

    /// Compares the domains without regard to case (RFC 5321 §2.4).
    ///
    /// Local parts are compared exactly: only the host of the mailbox knows whether case matters.
    public static func == (one: Self, other: Self) -> Bool {
        one.localPart == other.localPart && one.domain.lowercased() == other.domain.lowercased()
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(localPart)
        hasher.combine(domain.lowercased())
    }

    /// Parses an address.
    ///
    /// - Throws: ``MessagingError/Code/invalidAddress``
    public init(_ text: String) throws(MessagingError) {
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw Self.invalid(text, "only printable ASCII, and a domain of another alphabet as xn--…")
        }
        let bytes = Array(text.utf8)
        guard bytes.count <= 254 else { throw Self.invalid(text, "at most 254 characters (RFC 5321 §4.5.3.1.3)") }
        // A quoted local part may contain an `@`, so its end is the closing quote and not the first
        // `@`.
        let end = bytes.first == Self.quote ? Self.endOfQuotes(bytes) : bytes.firstIndex(of: Self.at)
        guard let end, end < bytes.count, bytes[end] == Self.at else {
            throw Self.invalid(text, "local-part@domain")
        }
        let (local, domain) = (bytes[..<end], bytes[(end + 1)...])
        guard local.count <= 64, bytes.first == Self.quote || Self.isDotAtom(local) else {
            throw Self.invalid(
                text, "a local part of at most 64 letters, digits and !#$%&'*+-/=?^_`{|}~ with single dots")
        }
        guard Self.isDomain(domain) || Self.isLiteral(domain) else {
            throw Self.invalid(text, "a domain of labels of letters, digits and hyphens, or an address in brackets")
        }
        localPart = String(decoding: local, as: UTF8.self)
        self.domain = String(decoding: domain, as: UTF8.self)
    }

    private static let at = UInt8(ascii: "@")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let dot = UInt8(ascii: ".")
    private static let hyphen = UInt8(ascii: "-")

    /// Returns the index after the closing quote; nil if there is none.
    private static func endOfQuotes(_ bytes: [UInt8]) -> Int? {
        var index = 1
        while index < bytes.count {
            // A backslash quotes the next character, also a quote (RFC 5321 §4.1.2).
            if bytes[index] == quote { return index + 1 }
            index += bytes[index] == backslash ? 2 : 1
        }
        return nil
    }

    private static func isDotAtom(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: dot, omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
        }
    }

    static func isDotAtom(_ text: Substring) -> Bool { isDotAtom(Array(text.utf8)[...]) }

    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: dot, omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
        }
    }

    private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]") && bytes.count > 2
            && bytes.dropFirst().dropLast().allSatisfy { isAlphanumeric($0) || ":.-".utf8.contains($0) }
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func invalid(_ text: String, _ expected: String) -> MessagingError {
        MessagingError(
            .invalidAddress,
            message: "expected an e-mail address: \(expected); found \(text.debugDescription) (RFC 5322 §3.4.1)")
    }
}

/// An e-mail address with a display name.
public struct Mailbox: Hashable, Sendable {
    /// The display name; empty for none.
    public var name: String
    /// The address.
    public var address: EmailAddress

    /// Creates a mailbox.
    public init(_ address: EmailAddress, name: String = "") {
        self.address = address
        self.name = name
    }
}
