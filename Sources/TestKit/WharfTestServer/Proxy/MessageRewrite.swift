import WharfCore

/// Replaces an answer or a body in a stream of bytes, as a value without I/O.
///
/// It parses only as much of HTTP/1 as it needs for that.
struct MessageRewrite {
    enum Goal: Sendable {
        /// Replaces the origin's answer.
        case answer([UInt8])
        case body([UInt8])
    }

    enum Output: Equatable {
        /// Forward these bytes now. More are needed for the rest.
        case hold([UInt8])
        /// Forward these bytes and all later ones. There is no body, so nothing was replaced.
        case pass([UInt8])
        /// Forward these bytes, and nothing that follows.
        case replace([UInt8])
        /// The stream is not HTTP/1. Forward these bytes and all later ones unchanged.
        case skip([UInt8])
    }

    private let goal: Goal
    private let isRequest: Bool
    private var held: [UInt8] = []

    init(_ goal: Goal, ofRequest isRequest: Bool) {
        self.goal = goal
        self.isRequest = isRequest
    }

    mutating func take(_ bytes: [UInt8]) -> Output {
        held += bytes
        var interim: [UInt8] = []
        while true {
            switch HTTPHead.read(held, isRequest: isRequest) {
            case .incomplete: return .hold(interim)
            case .other: return .skip(interim + held)
            case .head(let head):
                // Interim or final: the first head of the origin is replaced, and nothing follows
                // it.
                if case .answer(let answer) = goal { return .replace(answer) }
                // Interim answers pass unchanged; the final one follows them.
                if head.isInterim {
                    interim += held[..<head.length]
                    held.removeFirst(head.length)
                    continue
                }
                guard case .body(let body) = goal, head.announcesBody else { return .pass(interim + held) }
                return .replace(interim + head.announcing(body.count) + body)
            }
        }
    }

    /// The bytes that were held when the sender ended.
    mutating func end() -> [UInt8] {
        defer { held = [] }
        return held
    }
}

/// A head of HTTP/1 in its wire format.
struct HTTPHead {
    enum Reading {
        case incomplete
        case head(HTTPHead)
        case other
    }

    /// The length including the empty line at the end.
    let length: Int
    private let lines: [Substring]
    private let isRequest: Bool

    static func read(_ bytes: [UInt8], isRequest: Bool) -> Reading {
        guard isPlausible(bytes, isRequest: isRequest) else { return .other }
        guard let end = RequestParser.find([13, 10, 13, 10], in: bytes[...]) else {
            // Without a limit a stream that only looks like HTTP would be held for ever.
            return bytes.count > 65_536 ? .other : .incomplete
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        let isHTTP = isRequest ? lines[0].contains(" HTTP/1.") : lines[0].hasPrefix("HTTP/1.")
        return isHTTP ? .head(HTTPHead(length: end + 4, lines: lines, isRequest: isRequest)) : .other
    }

    /// Whether the bytes may begin a head. Other protocols may have no end to wait for.
    private static func isPlausible(_ bytes: [UInt8], isRequest: Bool) -> Bool {
        guard isRequest else { return zip(bytes, "HTTP/1.".utf8).allSatisfy { $0 == $1 } }
        return bytes.prefix { $0 != UInt8(ascii: " ") }.prefix(20).allSatisfy { (0x21...0x7e).contains($0) }
    }

    private var status: Int { lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

    /// Whether another head follows, as after 100 (Continue).
    var isInterim: Bool { !isRequest && (100...199).contains(status) && status != 101 }

    /// Whether the answer has no body, regardless of its head.
    var isHEAD: Bool { isRequest && lines[0].hasPrefix("HEAD ") }

    var announcesBody: Bool {
        let hasFraming = value(of: "content-length") ?? "0" != "0" || value(of: "transfer-encoding") != nil
        if isRequest { return hasFraming }
        guard status >= 200, status != 204, status != 304 else { return false }
        // An answer without a length extends to the end of the connection (RFC 9112 §6.3).
        return hasFraming || value(of: "content-length") == nil
    }

    /// The head for another body, which is the last one on its connection.
    func announcing(_ count: Int) -> [UInt8] {
        // The fields that describe the old body, or promise another message on the connection.
        let replaced = ["content-length", "transfer-encoding", "content-encoding", "connection"]
        let kept = lines.enumerated().filter { $0 == 0 || !replaced.contains(Self.name($1)) }.map(\.element)
        return Array("\(kept.joined(separator: "\r\n"))\r\nContent-Length: \(count)\r\nConnection: close\r\n\r\n".utf8)
    }

    private func value(of name: String) -> String? {
        lines.dropFirst().first { Self.name($0) == name }.map { line in
            String(line.drop { $0 != ":" }.dropFirst().filter { $0 != " " && $0 != "\t" })
        }
    }

    private static func name(_ line: Substring) -> String { line.prefix { $0 != ":" }.lowercased() }
}
