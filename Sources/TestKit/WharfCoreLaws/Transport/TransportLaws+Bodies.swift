internal import WharfChecks
internal import WharfCore

extension TransportLaws {
    static let bodies: [Law<Subject>] = [
        Law("the head describes the bytes that are delivered") { subject in
            let head = HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip", .contentType: "text/plain"])
            let plain = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
            try await subject.plays(Scene(head, body: plain, encoded: gzippedThousand)) { stage in
                let answer = try await succeeds(stage, "a gzip body")
                try require(answer.body == plain, "the body came as \(text(answer.body))")
                let encoding = answer.head.headerFields[.contentEncoding]
                try require(encoding == nil, "the decoded body came with Content-Encoding: \(encoding ?? "")")
                // The length on the wire is that of the encoded bytes. Kept, it would contradict
                // the body.
                let length = answer.head.headerFields[.contentLength]
                try require(length == nil || length == "1000", "1000 bytes came with Content-Length: \(length ?? "")")
                let type = answer.head.headerFields[.contentType]
                try require(type == "text/plain", "Content-Type came as \(type ?? "nothing")")
            }
        },
        Law("HEAD is answered by a head alone") { subject in
            try await subject.plays(Scene()) { stage in
                let answer = try await succeeds(stage, "HEAD") { $0.head.method = .head }
                try require(answer.head.status == .ok, "it came as \(answer.head.status)")
                try require(answer.body.isEmpty, "a body of \(answer.body.count) bytes came")
            }
        },
        Law("a large body comes whole and in order") { subject in
            try await subject.plays(Scene(body: twoMegabytes)) { stage in
                let answer = try await succeeds(stage, "a body of 2 MB")
                try require(answer.body == twoMegabytes, "it came as \(text(answer.body)), or changed")
            }
        },
        Law("a body that ends early throws, and never looks complete") { subject in
            // Before the first byte, in the middle, and before the last one.
            for count in [0, 5, 10] {
                try await subject.plays(Scene(ending: .truncated(after: count))) { stage in
                    switch await stage.exchange() {
                    case .success(let answer):
                        throw FailedRequirement(
                            found: "\(count) of 11 bytes came as the whole body \(text(answer.body))")
                    case .failure(let error):
                        try require(error.code == .connectionLost, "after \(count) of 11 bytes it threw \(error)")
                    }
                }
            }
        },
        Law("a second pass over a body that broke throws again") { subject in
            try await subject.plays(Scene(ending: .truncated(after: 5))) { stage in
                let response = try await stage.send()
                for pass in 1...2 {
                    do {
                        _ = try await response.body.collect()
                        throw FailedRequirement(found: "pass \(pass) came to an end")
                    } catch let error as TransportError {
                        try require(error.code == .connectionLost, "pass \(pass) threw \(error)")
                    }
                }
            }
        },
    ]

    private static let twoMegabytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }

    /// The `gzip` encoding of a thousand times "a".
    static let gzippedThousand: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x4c, 0x1c, 0x05, 0xa3, 0x60,
        0x14, 0x0c, 0x77, 0x00, 0x00, 0x03, 0xda, 0x38, 0x9a, 0xe8, 0x03, 0x00, 0x00,
    ]
}
