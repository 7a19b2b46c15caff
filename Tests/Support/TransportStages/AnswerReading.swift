import WharfCore

/// An answer that a correct client may read from certain bytes and the end of their connection.
///
/// It shares no code with the transports. RFC 9112 leaves some choices to a client, such as a bare
/// LF or an invalid field line. Each choice is a reading of its own. A client may always refuse.
struct AnswerReading: Hashable {
    var status: Int
    /// The body as it was framed, including its content coding.
    var framed: [UInt8]
    /// The body without its content coding, or empty if it can't be decoded.
    var decoded: Set<[UInt8]>
    /// The body with some of several content codings removed. The returned head names the others.
    var partlyDecoded: Set<[UInt8]> = []

    static func all(of bytes: [UInt8]) -> Set<AnswerReading> {
        var found: Set<AnswerReading> = []
        for leniency in Leniency.allCases { found.formUnion(readings(bytes[...], leniency)) }
        return found
    }

    /// - Parameter isDecoded: whether the head that came with the body names no content coding.
    func allows(status: Int, body: [UInt8], isDecoded: Bool) -> Bool {
        status == self.status && (isDecoded ? decoded.contains(body) : body == framed || partlyDecoded.contains(body))
    }

    /// The choices for a line of the head that breaks the grammar.
    enum Leniency: CaseIterable {
        case ignoresLine, readsLine
    }

    private static func readings(_ bytes: ArraySlice<UInt8>, _ leniency: Leniency) -> [AnswerReading] {
        guard let head = Head(bytes, leniency) else { return [] }
        switch head.status {
        case 101: return []
        case 100..<200: return readings(head.rest, leniency)
        case 204, 304: return [AnswerReading(status: head.status, framed: [], decoded: [[]])]
        default:
            return bodies(head).map { framed in
                let isTwice = head.list("content-encoding").count > 1
                return AnswerReading(
                    status: head.status, framed: framed, decoded: decoded(framed, head),
                    partlyDecoded: isTwice ? Set([Inflate.gzip(framed)].compactMap(\.self)) : [])
            }
        }
    }

    private static func bodies(_ head: Head) -> [[UInt8]] {
        let codings = Set(head.list("transfer-encoding")).subtracting(["identity"])
        guard !codings.isEmpty else { return sized(head) }
        // In HTTP/1.0 the framing is faulty (RFC 9112 §6.1): some clients read the chunks, and some
        // do not.
        let ignoring = head.isOld ? sized(head) : []
        // A body with an unknown coding can't be decoded. A coding that is named twice was applied
        // once.
        return codings == ["chunked"] ? ignoring + (chunked(head.rest).map { [$0] } ?? []) : ignoring
    }

    private static func sized(_ head: Head) -> [[UInt8]] {
        let values = head.values("content-length")
        guard !values.isEmpty else { return [Array(head.rest)] }
        let lengths = Set(
            values.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).map(trimmed))
        // A missing length means the end of the connection. An empty or malformed length allows no
        // reading.
        guard lengths.count == 1, let text = lengths.first, !text.isEmpty,
            text.utf8.allSatisfy({ (48...57).contains($0) }),
            let length = Int(text), length <= head.rest.count
        else { return [] }
        return [Array(head.rest.prefix(length))]
    }

    private static func chunked(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        var body: [UInt8] = []
        while let line = Line.pop(&rest) {
            // Any text may follow the size, as some clients accept an extension without its
            // semicolon.
            let digits = line.prefix { HexDigit($0) != nil }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
            // Trailers, and an end within them, add nothing to the body (RFC 9112 §8).
            if size == 0 { return body }
            guard rest.count >= size else { return nil }
            body += rest.prefix(size)
            rest = rest.dropFirst(size)
            guard let end = Line.pop(&rest), end.allSatisfy({ $0 == 0x0D }) else { return nil }
        }
        return nil
    }

    private static func decoded(_ framed: [UInt8], _ head: Head) -> Set<[UInt8]> {
        let codings = head.list("content-encoding").filter { $0 != "identity" }
        guard !codings.isEmpty else { return [framed] }
        guard codings.allSatisfy({ $0 == "gzip" || $0 == "x-gzip" }) else { return [] }
        // Empty content is no valid gzip, but it is still empty content.
        guard !framed.isEmpty else { return [[]] }
        var plain: [UInt8]? = framed
        for _ in codings { plain = plain.flatMap { Inflate.gzip($0) ?? Inflate.withRubbish($0) } }
        return plain.map { [$0] } ?? []
    }
}

private func trimmed(_ text: some StringProtocol) -> String {
    var rest = Substring(text)
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return String(rest)
}

private struct HexDigit {
    init?(_ byte: UInt8) {
        guard Int(String(UnicodeScalar(byte)), radix: 16) != nil, byte != 0x2B, byte != 0x2D else { return nil }
    }
}

private enum Line {
    /// Removes a line up to its line feed and returns it without the carriage return. Returns nil
    /// if there is no line feed.
    static func pop(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
        let line = bytes[..<end]
        bytes = bytes[(end + 1)...]
        return line.last == 0x0D ? line.dropLast() : line
    }
}

/// A status line and fields, with the names in lower case.
private struct Head {
    private(set) var status = 0
    private(set) var isOld = false
    private(set) var rest: ArraySlice<UInt8>
    private var fields: [(name: String, value: String)] = []

    init?(_ bytes: ArraySlice<UInt8>, _ leniency: AnswerReading.Leniency) {
        rest = bytes
        // RFC 9112 §2.2 allows this for requests. Some clients do the same for answers.
        while rest.first == 0x0D || rest.first == 0x0A { rest.removeFirst() }
        guard let line = Line.pop(&rest), readStatus(Array(line)) else { return nil }
        while let line = Line.pop(&rest) {
            if line.isEmpty { return }
            read(line, leniency)
        }
        return nil
    }

    private mutating func readStatus(_ line: [UInt8]) -> Bool {
        let words = text(line[...]).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1, words[1].utf8.count == 3, let code = Int(words[1]), code >= 100 else { return false }
        let version = words[0].uppercased()
        // Bodies are framed in the same way if the version differs from the connection's.
        guard version == "HTTP/2" || version == "HTTP/3" || Self.isVersion(Array(version.utf8)) else { return false }
        status = code
        isOld = version.hasPrefix("HTTP/0") || version == "HTTP/1.0"
        return true
    }

    private static func isVersion(_ word: [UInt8]) -> Bool {
        word.count == 8 && word.starts(with: "HTTP/".utf8) && word[6] == 0x2E
            && (0x30...0x39).contains(word[5]) && (0x30...0x39).contains(word[7])
    }

    private mutating func read(_ line: ArraySlice<UInt8>, _ leniency: AnswerReading.Leniency) {
        let isFolded = line.first == 0x20 || line.first == 0x09
        let name = line.prefix { $0 != 0x3A }
        let isToken = !name.isEmpty && name.allSatisfy(Self.isToken)
        if name.count < line.count, isToken {
            fields.append((lowercased(name), trimmed(text(line.dropFirst(name.count + 1)))))
        } else if leniency == .readsLine, isFolded, let last = fields.popLast() {
            fields.append((last.name, trimmed("\(last.value) \(trimmed(text(line)))")))
        } else if leniency == .readsLine, name.count < line.count {
            fields.append((trimmed(lowercased(name)), trimmed(text(line.dropFirst(name.count + 1)))))
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    private func lowercased(_ bytes: ArraySlice<UInt8>) -> String { text(bytes).lowercased() }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Returns the elements of a list-valued field, in lower case.
    func list(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",") }.map { trimmed($0).lowercased() }.filter { !$0.isEmpty }
    }
}

extension Inflate {
    /// Decodes a member that is followed by other bytes, which most decoders ignore.
    static func withRubbish(_ bytes: [UInt8]) -> [UInt8]? {
        guard let (plain, rest) = member(bytes[...]) else { return nil }
        // If a second member is damaged, a part of the body is lost.
        return rest.starts(with: [0x1F, 0x8B]) ? nil : plain
    }
}
