public import WharfCore
internal import WharfPrimitives

// The payload is an HTTP/1.1 message (RFC 9112 §2.1) without its version, readable by people.
extension OutboxRequest {
    var payload: [UInt8] {
        // A space would end the address early, and CR LF would end the line: the rest would be read
        // as fields.
        let address = PercentEncoding.encode(address, keeping: Self.addressOctets)
        var bytes = Array("\(method.rawValue) \(address)".utf8) + Self.lineEnd
        for field in fields { bytes += Array("\(field.name.rawName): \(field.value)".utf8) + Self.lineEnd }
        return bytes + Self.lineEnd + body
    }

    /// Reads the request of an entry.
    ///
    /// It is nil for another kind or version, and for malformed bytes.
    public init?(_ entry: OutboxEntry) {
        guard entry.kind == Self.kind else { return nil }
        self.init(payload: entry.payload)
    }

    private init?(payload: [UInt8]) {
        // Split by scalars: a combining mark after a space would make another character of the
        // space.
        var lines: [Substring.UnicodeScalarView] = []
        var rest = payload[...]
        while true {
            // A line ends at CR LF; a CR alone is malformed.
            guard let end = rest.firstIndex(of: 0x0D), end + 1 < rest.endIndex, rest[end + 1] == 0x0A else {
                return nil
            }
            let line = rest[..<end]
            rest = rest[(end + 2)...]
            // The empty line ends the head; all bytes after it are the body.
            if line.isEmpty { break }
            guard let text = String(validating: line, as: UTF8.self) else { return nil }
            lines.append(text[...].unicodeScalars)
        }
        guard let first = lines.first, let space = first.firstIndex(of: " "),
            let method = HTTPRequest.Method(rawValue: String(first[..<space]))
        else { return nil }
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                return nil
            }
            // The colon and the space that `payload` writes.
            fields.append(HTTPField(name: name, value: String(line[colon...].dropFirst(2))))
        }
        self.init(method, String(first[first.index(after: space)...]), fields: fields, body: Array(rest))
    }

    private static let lineEnd = Array("\r\n".utf8)
    /// All octets except spaces and control characters.
    private static let addressOctets = OctetSet(0x21...0xFF).subtracting("\u{7F}")
}
