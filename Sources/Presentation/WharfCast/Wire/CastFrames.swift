internal import WharfPlayback

/// An incremental parser of length-prefixed messages.
///
/// Each message follows its length in four bytes, big-endian.
struct CastFrames {
    /// The maximum length in bytes, without the prefix. The limit is that of the transport in
    /// developers.google.com/cast/docs/media/messages.
    static let limit = 65_536

    private var bytes: [UInt8] = []
    /// The index of the first byte that is not parsed yet.
    private var start = 0

    mutating func append(_ more: some Sequence<UInt8>) {
        // Once for each append and not for each message: many small messages in one read would make
        // it quadratic.
        bytes.removeFirst(start)
        start = 0
        bytes.append(contentsOf: more)
    }

    /// Returns the next message; nil if more bytes are needed.
    ///
    /// - Throws: `malformed`. The bytes after it cannot be parsed either.
    mutating func next() throws(PlaybackError) -> CastMessage? {
        guard bytes.count - start >= 4 else { return nil }
        let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        // Before the wait for the rest: a length of 4 GB would make this buffer grow without end.
        guard length <= Self.limit else {
            throw PlaybackError(
                .malformed, "a message of the receiver has \(length) bytes; at most \(Self.limit) are allowed")
        }
        let end = start + 4 + length
        guard bytes.count >= end else { return nil }
        defer { start = end }
        return try CastMessage(encoded: bytes[start + 4..<end])
    }

    /// Returns a message with its length prefix.
    ///
    /// - Throws: `refused` for a message above the limit.
    static func frame(_ message: CastMessage) throws(PlaybackError) -> [UInt8] {
        let bytes = message.encoded
        guard bytes.count <= limit else {
            throw PlaybackError(
                .refused,
                "the message has \(bytes.count) bytes; at most \(limit) are allowed: shorten address or title")
        }
        return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
    }
}
