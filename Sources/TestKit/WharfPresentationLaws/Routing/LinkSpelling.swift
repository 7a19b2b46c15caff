internal import WharfChecks
internal import WharfPresentation

/// An equivalent spelling of a link (RFC 3986 §6.2.2, §6.2.3, and form encoding).
struct LinkSpelling: Sendable, CustomStringConvertible {
    private enum Escapes: CaseIterable {
        case canonical
        /// Every byte is escaped, with lower-case hexadecimal digits.
        case all
        /// Only necessary escapes: `sub-delims`, `:` and `@` stay if they are plain data. Every
        /// non-ASCII byte is escaped.
        case fewest
    }

    private var escapes = Escapes.canonical
    private var isShouted = false
    private var namesPort = false
    private var endsInSlash = false
    private var detours = false
    private var spaceIsPlus = false
    private var hasFragment = false

    static let any = Generator<LinkSpelling> { choices in
        LinkSpelling(
            escapes: try choices.draw(.anyCase()), isShouted: try choices.draw(.bool),
            namesPort: try choices.draw(.bool), endsInSlash: try choices.draw(.bool),
            detours: try choices.draw(.bool), spaceIsPlus: try choices.draw(.bool),
            hasFragment: try choices.draw(.bool))
    }

    func write(_ link: Link) -> String {
        var text = (isShouted ? link.scheme.uppercased() : link.scheme) + "://"
        if let site = link.site {
            text += isShouted ? site.host.uppercased() : site.host
            let standard: UInt16? = namesPort ? ["http": 80, "https": 443][link.scheme] : nil
            if let port = site.port ?? standard { text += ":\(port)" }
        }
        // Dot segments (RFC 3986 §5.2.4): "a" is entered and left again by an escaped "..".
        if detours { text += "/./a/%2E%2e" }
        text += link.path.map { "/" + write($0, kept: ":@!$&'()*+,;=") }.joined()
        if endsInSlash || link.path.isEmpty { text += "/" }
        let items = link.query.map { item in
            let parts = [item.name] + (item.value.map { [$0] } ?? [])
            return parts.map { text in
                let written = write(text, kept: ":@!$'()*,;/?")
                return spaceIsPlus ? written.replacing("%20", with: "+") : written
            }.joined(separator: "=")
        }
        return text + (items.isEmpty ? "" : "?" + items.joined(separator: "&")) + (hasFragment ? "#part" : "")
    }

    private func write(_ text: String, kept: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isUnreserved =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-._~".utf8.contains(byte)
            let stays =
                switch escapes {
                case .canonical: byte < 128 && isUnreserved
                case .all: false
                case .fewest: byte < 128 && (isUnreserved || kept.utf8.contains(byte))
                }
            if stays { return String(scalar) }
            let digits = String(byte, radix: 16, uppercase: escapes != .all)
            return "%" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }

    var description: String {
        let parts = [
            escapes == .canonical ? nil : "\(escapes) escapes", isShouted ? "in capitals" : nil,
            namesPort ? "with the port" : nil, endsInSlash ? "with a slash at the end" : nil,
            detours ? "with dots" : nil, spaceIsPlus ? "with + for spaces" : nil, hasFragment ? "with a fragment" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "as it is" : parts.joined(separator: ", ")
    }
}
