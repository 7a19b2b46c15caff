/// Reads a stream of Server-Sent Events, as WHATWG HTML says ("Parsing an event stream" and
/// "Interpreting an event stream", section 9.2.6). Where the bytes are cut into chunks does not
/// matter.
package struct EventStreamParser: Sendable {
    /// What the server wants to be told when a client connects again, as `Last-Event-ID`.
    package private(set) var lastEventID: String
    /// How long a client is to wait before it connects again; nil where the server did not say.
    package private(set) var retry: Duration?

    private let limit: Int
    private var line: [UInt8] = []
    private var isFirstLine = true
    private var skipsLineFeed = false
    private var type = ""
    private var data = ""
    private var id: String

    /// - Parameters:
    ///   - lastEventID: of the stream before, which this one goes on with.
    ///   - retry: likewise.
    ///   - limit: how many bytes one event may have.
    package init(lastEventID: String = "", retry: Duration? = nil, limit: Int = 1 << 20) {
        (self.lastEventID, id, self.retry, self.limit) = (lastEventID, lastEventID, retry, limit)
    }

    /// - Returns: the events that are complete now. What is not when the stream ends is no event.
    /// - Throws: if an event is longer than the limit.
    package mutating func append(_ bytes: some Sequence<UInt8>) throws(EventTooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let endsCarriageReturn = skipsLineFeed
            skipsLineFeed = false
            switch byte {
            case UInt8(ascii: "\n") where endsCarriageReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                skipsLineFeed = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                line.append(byte)
                guard line.count + data.utf8.count <= limit else {
                    throw EventTooLong(limit: limit)
                }
            }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        var bytes = line[...]
        line.removeAll(keepingCapacity: true)
        if isFirstLine, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isFirstLine = false
        if bytes.isEmpty { return dispatch() }
        let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        var value = bytes.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch name {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data": data += String(decoding: value, as: UTF8.self) + "\n"
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }:
            retry = Int64(String(decoding: value, as: UTF8.self)).map { .milliseconds($0) } ?? retry
        // A comment, whose name is empty, or a field of another time.
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer { (type, data) = ("", "") }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(type: type.isEmpty ? "message" : type, data: String(data.dropLast()), id: id)
    }
}

/// An event that is longer than a reader takes.
package struct EventTooLong: Error, CustomStringConvertible {
    package let limit: Int

    package var description: String {
        "expected events of at most \(limit) bytes, and one is longer; the stream is not read on"
    }
}

extension ServerSentEvent {
    /// The event as a server sends it.
    package var bytes: [UInt8] {
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
        return Array("event: \(type)\nid: \(id)\n\(lines)\n".utf8)
    }
}
