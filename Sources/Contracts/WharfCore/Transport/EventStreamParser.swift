/// A parser of Server-Sent Events.
///
/// It follows WHATWG HTML, section 9.2.6 ("Parsing an event stream" and "Interpreting an event
/// stream"). The bytes may be cut into chunks at any place.
package struct EventStreamParser: Sendable {
    /// The id that a client sends as `Last-Event-ID` when it connects again.
    package private(set) var lastEventID: String
    /// The pause before a client connects again; nil if the server has not set it.
    package private(set) var retry: Duration?

    private let limit: Int
    private var line: [UInt8] = []
    private var isFirstLine = true
    private var skipsLineFeed = false
    private var type = ""
    private var data = ""
    private var id: String

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - lastEventID: the last id of the previous stream, which this one continues.
    ///   - retry: the pause that the previous stream has set.
    ///   - limit: the maximum number of bytes of an event.
    package init(lastEventID: String = "", retry: Duration? = nil, limit: Int = 1 << 20) {
        (self.lastEventID, id, self.retry, self.limit) = (lastEventID, lastEventID, retry, limit)
    }

    /// Parses bytes and returns the events that are complete.
    ///
    /// - Returns: the complete events. An event that is incomplete at the end of the stream is
    ///   dropped.
    /// - Throws: ``EventTooLong`` if an event exceeds the limit.
    package mutating func append(_ bytes: some Sequence<UInt8>) throws(EventTooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            // CR LF is one end of a line, also if a chunk ends between the two.
            let endsCarriageReturn = skipsLineFeed
            skipsLineFeed = false
            switch byte {
            case UInt8(ascii: "\n") where endsCarriageReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                skipsLineFeed = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                line.append(byte)
                // A server that never ends its event must not fill the memory.
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
        // A byte order mark at the beginning of the stream is no part of the first line.
        if isFirstLine, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isFirstLine = false
        if bytes.isEmpty { return dispatch() }
        let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        var value = bytes.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        // One space after the colon is not part of the value. Further ones are.
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch name {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data": data += String(decoding: value, as: UTF8.self) + "\n"
        // An id with a NUL is ignored, as the standard says: it could not be sent back in a field.
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        // Digits only. `Int64(_:)` alone would accept a sign.
        case "retry" where !value.isEmpty && value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }:
            retry = Int64(String(decoding: value, as: UTF8.self)).map { .milliseconds($0) } ?? retry
        // A comment, which has an empty name, or an unknown field.
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        // Set also without data: a server may send an id alone, to mark its place.
        lastEventID = id
        defer { (type, data) = ("", "") }
        guard !data.isEmpty else { return nil }
        // Each data line ended with a line feed. The last one is not part of the data.
        return ServerSentEvent(type: type.isEmpty ? "message" : type, data: String(data.dropLast()), id: id)
    }
}

/// An event that exceeds the limit of the reader.
package struct EventTooLong: Error, CustomStringConvertible {
    package let limit: Int

    package var description: String {
        "an event is longer than the limit of \(limit) bytes; the rest of the stream is not read"
    }
}

extension ServerSentEvent {
    /// The event as a server sends it.
    package var bytes: [UInt8] {
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
        return Array("event: \(type)\nid: \(id)\n\(lines)\n".utf8)
    }
}
