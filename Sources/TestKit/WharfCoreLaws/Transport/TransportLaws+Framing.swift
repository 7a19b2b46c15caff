internal import WharfChecks
internal import WharfCore

extension TransportLaws {
    static let framing: [Law<Subject>] = [
        Law("a chunked answer with trailers is whole") { subject in
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Server-Timing\r\n\r\n"
            let chunks = "6\r\nhello \r\n5;name=\"value\"\r\nworld\r\n0\r\n"
            let scene = Scene(wire: Wire("\(head)\(chunks)Server-Timing: db;dur=53\r\nX-Law: last\r\n\r\n"))
            try await subject.plays(scene) { stage in
                // The second answer shows that the trailers were read from the connection.
                for number in 1...2 {
                    let answer = try await succeeds(stage, "answer \(number) with trailers")
                    try require(answer.body == scene.body, "answer \(number) came with \(text(answer.body))")
                    let fields = answer.head.headerFields
                    try require(fields[.transferEncoding] == nil, "the chunks came off, but Transfer-Encoding stayed")
                }
            }
        },
        Law("a chunked body that is cut never looks complete") { subject in
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            // Without the line ends after the last chunk, every prefix of these bytes is
            // incomplete.
            let chunks = Array("6\r\nhello \r\n5\r\nworld\r\n0".utf8)
            for count in 0...chunks.count {
                let wire = Wire([Array(head.utf8) + chunks.prefix(count)], end: .close)
                try await subject.plays(Scene(ending: .truncated(after: 1 + count / 3), wire: wire)) { stage in
                    let found = "\(count) of \(chunks.count) bytes of the chunks"
                    try fails(await stage.exchange(), by: [.connectionLost], found)
                }
            }
        },
        Law("bytes beyond the length belong to no answer") { subject in
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world"
            let more = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
            // A whole second answer, as in response splitting, and a single byte.
            for more in [more, "!"] {
                let scene = Scene(wire: Wire(answer + more))
                try await subject.plays(scene) { stage in
                    for number in 1...3 {
                        switch await stage.exchange() {
                        case .success(let answer):
                            try require(answer.body == scene.body, "answer \(number) came as \(text(answer.body))")
                        case .failure(let error):
                            let allowed: [TransportError.Code] = [.connectionLost, .invalidResponse]
                            try require(allowed.contains(error.code), "answer \(number) threw \(error)")
                        }
                    }
                }
            }
        },
        Law("a reset in a body throws, and never looks complete") { subject in
            let heads = [
                "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n",
                // Without a length, the end of the connection ends the body, but a reset does not.
                "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
            ]
            for head in heads {
                let scene = Scene(ending: .truncated(after: 5), wire: Wire("\(head)hello", end: .reset))
                try await subject.plays(scene) { stage in
                    try fails(await stage.exchange(), by: [.connectionLost], "5 bytes and a reset after \"\(head)\"")
                }
            }
        },
    ]

    static let codings: [Law<Subject>] = [
        Law("a body that is cut inside its content coding never looks complete") { subject in
            let cuts = 1..<gzippedThousand.count
            for count in cuts {
                let part = Array(gzippedThousand.prefix(count))
                let size = String(count, radix: 16)
                // The first is framed only by the end of the connection. The framing of the others
                // is complete.
                let forms: [(fields: String, body: [UInt8], end: Wire.End)] = [
                    ("Connection: close", part, .close),
                    ("Content-Length: \(count)", part, .open),
                    (
                        "Transfer-Encoding: chunked", Array("\(size)\r\n".utf8) + part + Array("\r\n0\r\n\r\n".utf8),
                        .open
                    ),
                ]
                for form in count.isMultiple(of: 4) ? forms[...] : forms.prefix(1) {
                    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(form.fields)\r\n\r\n"
                    let wire = Wire([Array(head.utf8) + form.body], end: form.end)
                    try await subject.plays(Scene(ending: .truncated(after: 1), wire: wire)) { stage in
                        let found = "\(count) of \(cuts.upperBound) bytes of gzip (\(form.fields))"
                        try fails(await stage.exchange(), by: [.connectionLost, .invalidResponse], found)
                    }
                }
            }
        },
        Law("a gzip body is whole however it is framed") { subject in
            let plain = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
            let size = String(gzippedThousand.count, radix: 16)
            let chunked = Array("\(size)\r\n".utf8) + gzippedThousand + Array("\r\n0\r\n\r\n".utf8)
            let forms: [(fields: String, body: [UInt8], end: Wire.End)] = [
                ("Connection: close", gzippedThousand, .close), ("Transfer-Encoding: chunked", chunked, .open),
            ]
            for form in forms {
                let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(form.fields)\r\n\r\n"
                let wire = Wire([Array(head.utf8) + form.body], end: form.end)
                try await subject.plays(Scene(body: plain, wire: wire)) { stage in
                    let answer = try await succeeds(stage, "gzip (\(form.fields))")
                    try require(answer.body == plain, "gzip (\(form.fields)) came as \(text(answer.body))")
                    let encoding = answer.head.headerFields[.contentEncoding]
                    try require(encoding == nil, "the decoded body came with Content-Encoding: \(encoding ?? "")")
                }
            }
        },
    ]
}
