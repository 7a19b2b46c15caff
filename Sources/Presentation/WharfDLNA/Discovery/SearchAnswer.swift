/// An answer to an SSDP search (UPnP Device Architecture 2.0, section 1.3.3).
struct SearchAnswer: Hashable {
    /// The URL of the device's description. The description identifies the device, so `USN` is not
    /// read.
    let location: String
    /// The host that answered; nil if the socket does not know it.
    let host: String?

    /// Returns nil if the datagram is not an answer of a renderer.
    ///
    /// Names are case-insensitive, with any whitespace around them. A line may end with a line feed
    /// alone.
    init?(_ datagram: Datagram) {
        let lines = String(decoding: datagram.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let status = lines.first?.split(whereSeparator: \.isWhitespace), status.count >= 2,
            status[0].uppercased().hasPrefix("HTTP/"), status[1] == "200"
        else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].trimmed.uppercased()
            if fields[name] == nil { fields[name] = String(line[line.index(after: colon)...].trimmed) }
        }
        guard let location = fields["LOCATION"], !location.isEmpty else { return nil }
        // Some devices answer searches for other types too.
        if let target = fields["ST"], !target.lowercased().contains(":mediarenderer:") { return nil }
        self.location = location
        host = datagram.sender?.host
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
        return start[...last]
    }
}
