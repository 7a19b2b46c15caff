/// The keys that the servers of certain hosts must prove to have.
///
/// A server must also have a trusted certificate.
///
/// ```swift
/// let pins = try PublicKeyPins([
///     "api.example.com": [
///         "d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=",      // in use
///         "E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g=",      // kept offline, for the day when the first is lost
///     ]
/// ])
/// ```
///
/// A pin is the SHA-256 of a certificate's SubjectPublicKeyInfo in Base64 (RFC 7469 §2.4). It stays
/// valid if the certificate is renewed with the same key. It is compared to the key of the server's
/// own certificate, which the handshake proves, and not to those of its issuers. Compute it by:
///
/// ```sh
/// openssl x509 -in server.pem -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
/// ```
///
/// A host is written in ASCII, as in a URL. `*.example.com` stands for all hosts below
/// `example.com`, at any depth, but not for `example.com` itself. If several entries match, the
/// longest counts. A host without an entry is verified as usual.
///
/// A request is not sent if its pins can't be checked. A pinned host is refused over `http`, and by
/// a transport that sees no certificates. The error is a ``TransportError/Code/pinningFailed``.
public struct PublicKeyPins: Sendable, Hashable {
    /// The pins of one host, or of all hosts below one.
    package struct Entry: Sendable, Hashable {
        /// The host in lower case, with its star.
        package let host: String
        package let pins: Set<String>
    }

    /// The entries, the longest host first.
    package let entries: [Entry]

    /// No pins.
    public static let none = PublicKeyPins(entries: [])

    private init(entries: [Entry]) { self.entries = entries }

    /// Creates pins by host.
    ///
    /// - Parameter pins: at least two pins per host. With a single pin, a lost key locks all users
    ///   out (RFC 7469 §4.3).
    /// - Throws: ``TransportError/Code/invalidRequest`` if a host has fewer than two pins or occurs
    ///   twice. It is also thrown for an invalid host name or SHA-256.
    public init(_ pins: [String: Set<String>]) throws(TransportError) {
        var entries: [String: Entry] = [:]
        for (name, pins) in pins {
            let host = Self.canonical(name)
            let labels = host.hasPrefix("*.") ? host.dropFirst(2) : host[...]
            guard !labels.isEmpty, labels.utf8.allSatisfy(Self.isOfHost) else {
                throw .noPins("expected a host such as api.example.com or *.example.com, found \"\(name)\"")
            }
            guard pins.count > 1 else {
                throw .noPins("expected a backup pin beside the one in use for \(host), found \(pins.count) in all")
            }
            if let wrong = pins.sorted().first(where: { !Self.isSHA256($0) }) {
                throw .noPins("expected the Base64 of a SHA-256 (44 characters) for \(host), found \"\(wrong)\"")
            }
            // Two spellings of one host would otherwise decide by the order of a dictionary.
            guard entries.updateValue(Entry(host: host, pins: pins), forKey: host) == nil else {
                throw .noPins("expected each host once, found \(host) a second time in another spelling")
            }
        }
        self.entries = entries.values.sorted { ($1.host.utf8.count, $0.host) < ($0.host.utf8.count, $1.host) }
    }

    /// Returns the pins for a host; nil if it is not pinned.
    package func entry(for host: String) -> Entry? {
        guard !entries.isEmpty else { return nil }
        let host = Self.canonical(host)
        // The exact host first. The entries are sorted by length, so the first star that fits is
        // the longest.
        return entries.first { $0.host == host }
            ?? entries.first { $0.host.hasPrefix("*.") && host.hasSuffix($0.host.dropFirst(1)) }
    }

    /// Returns the host without the brackets of an IPv6 address and the final dot.
    ///
    /// Neither changes the host, so a URL with them must not bypass the pins.
    private static func canonical(_ host: String) -> String {
        var host = host.lowercased()[...]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.hasSuffix(".") { host = host.dropLast() }
        return address(host) ?? String(host)
    }

    /// Returns an IPv4 address as four decimal numbers; nil for a name.
    ///
    /// Resolvers accept `127.1`, `0177.0.0.1` and `0x7f000001` as 127.0.0.1 (inet_aton(3)). Without
    /// this function, a URL with one of these forms would reach a pinned address without a check of
    /// its pins.
    private static func address(_ host: Substring) -> String? {
        var numbers: [UInt32] = []
        for part in host.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false) {
            guard let number = number(part) else { return nil }
            numbers.append(number)
        }
        // The last number fills all remaining bytes.
        guard numbers.count <= 4, var bits = numbers.popLast(), numbers.allSatisfy({ $0 < 256 }),
            UInt64(bits) < 1 << (32 - 8 * UInt64(numbers.count))
        else { return nil }
        for (index, number) in numbers.enumerated() { bits |= number << (24 - 8 * UInt32(index)) }
        return [24, 16, 8, 0].map { "\(bits >> $0 & 255)" }.joined(separator: ".")
    }

    /// Parses a number as in C: hexadecimal after `0x`, octal after `0`.
    private static func number(_ text: Substring) -> UInt32? {
        guard text.utf8.allSatisfy({ isOfHost($0) && $0 != UInt8(ascii: "-") }) else { return nil }
        // "0x" alone counts as 0, as in the IPv4 number parser of WHATWG URL.
        if text.hasPrefix("0x") { return text.count == 2 ? 0 : UInt32(text.dropFirst(2), radix: 16) }
        return UInt32(text, radix: text.hasPrefix("0") ? 8 : 10)
    }

    /// Returns whether a byte can be part of a host name or an address.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: false
        }
    }

    /// 32 bytes make 43 digits; the last digit stands for four bits.
    private static func isSHA256(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 44, bytes[43] == UInt8(ascii: "="), "AEIMQUYcgkosw048".utf8.contains(bytes[42]) else {
            return false
        }
        return bytes.prefix(43).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
            default: false
            }
        }
    }
}

extension TransportError {
    fileprivate static func noPins(_ message: String) -> TransportError {
        TransportError(.invalidRequest, message: message)
    }
}
