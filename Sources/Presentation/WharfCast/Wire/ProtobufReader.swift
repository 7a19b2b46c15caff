internal import WharfPlayback

/// A parser of one message's fields.
///
/// The encoding is that of protobuf.dev/programming-guides/encoding.
struct ProtobufReader {
    enum Value: Equatable {
        case varint(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// A value of four or eight bytes. No field that is read here has one.
        case fixed
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the next field; nil at the end.
    mutating func next() throws(PlaybackError) -> (field: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        let field = tag >> 3
        guard field > 0 else { throw malformed("a field number above zero", "the tag \(tag)") }
        switch tag & 7 {
        case 0: return (field, .varint(try varint()))
        case 1:
            _ = try take(8)
            return (field, .fixed)
        case 2: return (field, .bytes(try take(try varint())))
        case 5:
            _ = try take(4)
            return (field, .fixed)
        default: throw malformed("wire type 0, 1, 2 or 5 in field \(field)", "\(tag & 7)")
        }
    }

    private mutating func varint() throws(PlaybackError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = rest.popFirst() {
            // The tenth byte has room for only one bit of a 64-bit number.
            guard shift < 63 || byte < 2 else { throw malformed("a number of 64 bits", "a longer one") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw malformed("the rest of a number", "the end of the message")
    }

    private mutating func take(_ count: UInt64) throws(PlaybackError) -> ArraySlice<UInt8> {
        // Compared as unsigned, since a length above `Int.max` would trap on conversion.
        guard count <= UInt64(rest.count) else { throw malformed("\(count) bytes", "the last \(rest.count)") }
        let bytes = rest.prefix(Int(count))
        rest.removeFirst(Int(count))
        return bytes
    }

    private func malformed(_ expected: String, _ found: String) -> PlaybackError {
        PlaybackError(.malformed, "expected \(expected), found \(found), \(rest.count) bytes before the end")
    }
}
