/// A parser of `multipart/form-data` for tests. It follows RFC 2046 §5.1, and shares no code with
/// the writer.
struct FormParser {
    struct Part: Equatable {
        var headers: [String]
        var body: [UInt8]
    }

    struct Malformed: Error {
        let reason: String
    }

    static func parts(_ bytes: [UInt8], contentType: String) throws -> [Part] {
        let marker = "multipart/form-data; boundary="
        guard contentType.hasPrefix(marker) else { throw Malformed(reason: contentType) }
        let delimiter = Array("\r\n--\(contentType.dropFirst(marker.count))".utf8)
        // The first delimiter may omit the line break before it.
        var pieces = split([13, 10] + bytes, by: delimiter)
        guard pieces.removeFirst().isEmpty, pieces.popLast() == Array("--\r\n".utf8) else {
            throw Malformed(reason: "the form does not begin or end with its delimiter")
        }
        return try pieces.map { piece in
            guard piece.starts(with: [13, 10]) else { throw Malformed(reason: "text behind a delimiter") }
            let halves = split(piece, by: [13, 10, 13, 10])
            guard halves.count > 1 else { throw Malformed(reason: "a part without an empty line") }
            let head = String(decoding: halves[0].dropFirst(2), as: UTF8.self)
            return Part(
                headers: split(Array(head.utf8), by: [13, 10]).map { String(decoding: $0, as: UTF8.self) },
                body: Array(halves.dropFirst().joined(separator: [13, 10, 13, 10])))
        }
    }

    private static func split(_ bytes: [UInt8], by separator: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        var index = 0
        while index + separator.count <= bytes.count {
            if bytes[index] == separator[0], bytes[index..<(index + separator.count)].elementsEqual(separator) {
                pieces.append(Array(bytes[start..<index]))
                index += separator.count
                start = index
            } else {
                index += 1
            }
        }
        return pieces + [Array(bytes[start...])]
    }
}
