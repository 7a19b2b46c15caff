import WharfCore
import WharfStorage

/// The input as text, as a transport reads a field: octets that are not UTF-8 are replaced.
func text(_ start: UnsafePointer<UInt8>?, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
}

/// The lines of the input; at most `count` of them.
func lines(_ start: UnsafePointer<UInt8>?, _ count: Int, atMost most: Int) -> [String] {
    text(start, count).utf8.split(
        separator: UInt8(ascii: "\n"), maxSplits: most - 1, omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
}

/// A response with one field that arrived without delay, a second after 2001-09-09T01:46:39Z.
func head(_ name: HTTPField.Name, _ value: String) -> StoredHead {
    let time = WallTime(secondsSince1970: 1_000_000_000)
    let fields = HTTPFields([HTTPField(name: name, value: value)])
    return StoredHead(
        response: HTTPResponse(status: .ok, headerFields: fields), requestedAt: time, respondedAt: time)
}
