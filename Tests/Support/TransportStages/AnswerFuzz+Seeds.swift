extension MutatedAnswer {
    /// Valid answers, by name.
    static let seeds: [(name: String, bytes: [UInt8])] =
        [
            ("plain", "HTTP/1.1 200 OK\r\n\(fresh)Content-Length: 11\r\n\r\nhello world"),
            ("empty", "HTTP/1.1 200 OK\r\n\(fresh)Content-Length: 0\r\n\r\n"),
            ("chunked", "HTTP/1.1 200 OK\r\n\(fresh)\(chunked)6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n"),
            ("extension", "HTTP/1.1 200 OK\r\n\(fresh)\(chunked)B;a=\"b\"\r\nhello world\r\n00\r\n\r\n"),
            (
                "trailer",
                "HTTP/1.1 200 OK\r\n\(fresh)\(chunked)b\r\nhello world\r\n0\r\nServer-Timing: db\r\nX-Law: 1\r\n\r\n"
            ),
            ("no length", "HTTP/1.1 200 OK\r\n\(fresh)Connection: close\r\n\r\nhello world"),
            ("HTTP/1.0", "HTTP/1.0 200 OK\r\n\(fresh)\r\nhello world"),
            ("HTTP/1.0 with length", "HTTP/1.0 200 OK\r\n\(fresh)Content-Length: 11\r\n\r\nhello world"),
            ("204", "HTTP/1.1 204 No Content\r\n\(fresh)\r\n"),
            ("304", "HTTP/1.1 304 Not Modified\r\n\(fresh)Content-Length: 11\r\n\r\n"),
            ("404", "HTTP/1.1 404 Not Found\r\n\(fresh)Content-Length: 7\r\n\r\nnothing"),
            (
                "interim",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\n\(fresh)Content-Length: 11\r\n\r\nhello world"
            ),
            ("redirect", "HTTP/1.1 301 Moved\r\nLocation: /x\r\n\(fresh)Content-Length: 5\r\n\r\nmoved"),
            ("chunked redirect", "HTTP/1.1 307 \r\nLocation: /x\r\n\(fresh)\(chunked)5\r\nmoved\r\n0\r\n\r\n"),
            ("fields", "HTTP/1.1 200\r\n\(fresh)Vary: X-Law\r\nAge: 3\r\nX-Law: größe\r\nContent-Length: 2\r\n\r\nok"),
        ].map { ($0, Array($1.utf8)) } + gzipped

    /// The valid answers that a transport may refuse. SwiftNIO expects the body to be a single gzip
    /// member, and fails if there are more (RFC 1952 §2.2 allows them).
    static let mayBeRefused: Set<String> = ["gzip in two members"]

    private static let fresh = "Cache-Control: max-age=60\r\nETag: \"1\"\r\n"
    private static let chunked = "Transfer-Encoding: chunked\r\n\r\n"

    private static var gzipped: [(name: String, bytes: [UInt8])] {
        let head = Array("HTTP/1.1 200 OK\r\n\(fresh)Content-Encoding: gzip\r\n".utf8)
        let (front, back) = (gzip.prefix(40), gzip.dropFirst(40))
        let chunks =
            Array("\(String(front.count, radix: 16))\r\n".utf8) + front
            + Array("\r\n\(String(back.count, radix: 16))\r\n".utf8) + back + Array("\r\n0\r\n\r\n".utf8)
        return [
            ("gzip", head + Array("Content-Length: \(gzip.count)\r\n\r\n".utf8) + gzip),
            ("gzip in chunks", head + Array(chunked.utf8) + chunks),
            ("gzip without length", head + Array("Connection: close\r\n\r\n".utf8) + gzip),
            ("gzip in two members", head + Array("Content-Length: \(2 * gzip.count)\r\n\r\n".utf8) + gzip + gzip),
        ]
    }

    /// A text compressed by `gzip -9`.
    private static let gzip: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2b, 0xc9, 0x48, 0x55, 0x28, 0x2c,
        0xcd, 0x4c, 0xce, 0x56, 0x48, 0x2a, 0xca, 0x2f, 0xcf, 0x53, 0x48, 0xcb, 0xaf, 0x50, 0xc8, 0x2a,
        0xcd, 0x2d, 0x28, 0x56, 0xc8, 0x2f, 0x4b, 0x2d, 0x52, 0x28, 0x01, 0x4a, 0xe7, 0x24, 0x56, 0x55,
        0x2a, 0xa4, 0xe4, 0xa7, 0x5b, 0x83, 0x79, 0xb4, 0x51, 0x9c, 0x91, 0x9a, 0x93, 0x93, 0xaf, 0x50,
        0x9e, 0x5f, 0x94, 0x93, 0xa2, 0x03, 0xe3, 0x64, 0x24, 0x16, 0xa5, 0x29, 0x2a, 0x18, 0x18, 0x1a,
        0x19, 0x9b, 0x98, 0x9a, 0x99, 0x5b, 0x58, 0x02, 0x00, 0xa8, 0x44, 0xc9, 0x98, 0xab, 0x00, 0x00,
        0x00,
    ]
}
