/// The host and port of a `Host` field or of a target in absolute form (RFC 9110 §7.2).
struct HostName: Hashable, Sendable, CustomStringConvertible {
    /// The host in lower case, and the port unless it is the scheme's own.
    let description: String

    /// Parses `uri-host [ ":" port ]`; nil if the text has another form.
    ///
    /// - Parameter defaultPort: the port of the scheme, which is 443 for https.
    init?(_ text: some StringProtocol, defaultPort: UInt16 = 80) {
        let bytes = text.utf8
        var host = Substring(text)
        var port: Substring?
        if bytes.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let after = text.index(after: end)
            host = Substring(text[..<after])
            guard host.utf8.dropFirst().dropLast().allSatisfy(Self.isOfAddress), host.utf8.count > 2 else { return nil }
            if after < text.endIndex {
                guard text[after] == ":" else { return nil }
                port = Substring(text[text.index(after: after)...])
            }
        } else {
            if let colon = text.firstIndex(of: ":") {
                host = Substring(text[..<colon])
                port = Substring(text[text.index(after: colon)...])
            }
            guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfName) else { return nil }
        }
        if let port {
            // RFC 3986 §3.2.3 allows an empty port, which equals the default one.
            guard port.utf8.allSatisfy(Self.isDigit), port.isEmpty || UInt16(port) != nil else { return nil }
        }
        let number = port.flatMap { UInt16($0) } ?? defaultPort
        description = number == defaultPort ? host.lowercased() : "\(host.lowercased()):\(number)"
    }

    /// Whether no DNS record can give the name to another machine: an address, or `localhost`.
    ///
    /// A browser writes an IPv4 address as four decimal numbers.
    var isOutsideDNS: Bool {
        if description.first == "[" { return true }
        let host = description.prefix { $0 != ":" }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return host == "localhost"
            || (parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy(Self.isDigit) && UInt8($0) != nil })
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20) || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: ".")
    }

    /// Returns whether a registered name may have the byte (RFC 3986 §3.2.2).
    private static func isOfName(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || "-._~!$&'()*+,;=%".utf8.contains(byte)
    }
}
