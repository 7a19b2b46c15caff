internal import WharfChecks
internal import WharfCore
internal import WharfFakes

extension TransportLaws {
    static let heads: [Law<Subject>] = [
        Law("a head that is cut is no answer") { subject in
            // The second head announces no body, so only the missing empty line shows that it is
            // cut.
            let heads = [
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: max-age=60\r\nContent-Length: 11\r\n\r\n",
                "HTTP/1.1 204 No Content\r\nCache-Control: max-age=60\r\nETag: \"1\"\r\n\r\n",
            ]
            for head in heads {
                for count in 1..<head.utf8.count {
                    let wire = Wire([Array(head.utf8.prefix(count))], end: .close)
                    try await subject.plays(Scene(ending: .withoutHead, wire: wire)) { stage in
                        let found = "\(count) of \(head.utf8.count) bytes of a head"
                        try fails(await stage.exchange(), by: [.connectionLost, .invalidResponse], found)
                    }
                }
            }
        },
        Law("an answer whose head comes byte by byte is whole") { subject in
            let bytes = Array("HTTP/1.1 200 OK\r\nX-Law: slow\r\nContent-Length: 11\r\n\r\nhello world".utf8)
            let scene = Scene(kept("slow"), wire: Wire(bytes.map { [$0] }))
            try await subject.plays(scene) { stage in
                let answer = try await succeeds(stage, "a slow head") { $0.timeout = .seconds(30) }
                try require(answer.body == scene.body, "it came with the body \(text(answer.body))")
                try require(answer.head.headerFields[marker] == "slow", "it came without its field")
            }
        },
        Law("a head that has begun does not come after the timeout") { subject in
            let clock = TestClock()
            let scene = Scene(ending: .silent, wire: Wire("HTTP/1.1 200 OK\r\nContent-Le"))
            try await subject.plays(scene, clock) { stage in
                let task = Task { await stage.exchange { $0.timeout = .seconds(30) } }
                try await stage.arrival()
                await clock.untilSleeping()
                clock.advance(by: .seconds(30))
                try fails(await task.value, by: [.timedOut], "half a head")
                try await stage.departure()
            }
        },
        Law("a status line needs no phrase") { subject in
            for line in ["HTTP/1.1 200 ", "HTTP/1.1 200"] {
                let scene = Scene(wire: Wire("\(line)\r\nContent-Length: 11\r\n\r\nhello world"))
                try await subject.plays(scene) { stage in
                    let answer = try await succeeds(stage, "\"\(line)\"")
                    try require(answer.head.status.code == 200, "\"\(line)\" came as \(answer.head.status)")
                    try require(answer.body == scene.body, "\"\(line)\" came with the body \(text(answer.body))")
                }
            }
        },
        Law("interim responses come before the answer") { subject in
            // RFC 9110 §15.2: any number of interim responses may precede the final one, and their
            // fields are not its own.
            let interim = "HTTP/1.1 103 Early Hints\r\nX-Law: early\r\nLink: </style.css>; rel=preload\r\n\r\n"
            let wire = Wire(
                "HTTP/1.1 100 Continue\r\n\r\n\(interim)\(interim)"
                    + "HTTP/1.1 200 OK\r\nX-Law: final\r\nContent-Length: 11\r\n\r\nhello world")
            let scene = Scene(kept("final"), wire: wire)
            try await subject.plays(scene) { stage in
                let answer = try await succeeds(stage, "an answer after three interim ones")
                try require(answer.head.status == .ok, "it came as \(answer.head.status)")
                let found = answer.head.headerFields[marker] ?? "nothing"
                try require(found == "final", "expected X-Law of the final head alone, found \(found)")
                try require(answer.body == scene.body, "it came with the body \(text(answer.body))")
            }
        },
        Law("fields beyond ASCII come as text") { subject in
            // HTTP leaves the encoding open (RFC 9110 §5.5). Present origins write UTF-8, and old
            // ones Latin-1.
            for (name, value) in [("UTF-8", Array("größe €".utf8)), ("Latin-1", [0x67, 0x72, 0xF6, 0xDF, 0x65])] {
                let expected = name == "UTF-8" ? "größe €" : "größe"
                let bytes = Array("HTTP/1.1 200 OK\r\nX-Law: ".utf8) + value
                let wire = Wire([bytes + Array("\r\nContent-Length: 11\r\n\r\nhello world".utf8)])
                try await subject.plays(Scene(kept(expected), wire: wire)) { stage in
                    let answer = try await succeeds(stage, "a field in \(name)")
                    let found = answer.head.headerFields[marker] ?? "nothing"
                    try require(found == expected, "\"\(expected)\" in \(name) came as \"\(found)\"")
                }
            }
        },
        Law("a field of 200 KB comes whole or is an invalid response") { subject in
            let value = String(repeating: "0123456789abcdef", count: 12_800)
            let wire = Wire("HTTP/1.1 200 OK\r\nX-Law: \(value)\r\nContent-Length: 11\r\n\r\nhello world")
            try await subject.plays(Scene(kept(value), wire: wire)) { stage in
                switch await stage.exchange() {
                case .success(let answer):
                    let found = answer.head.headerFields[marker] ?? ""
                    try require(found == value, "\(found.utf8.count) of \(value.utf8.count) bytes of it came")
                case .failure(let error):
                    try require(error.code == .invalidResponse, "it threw \(error.code)")
                }
            }
        },
        Law("bytes that are no HTTP are an invalid response") { subject in
            let garbage = [
                "SSH-2.0-OpenSSH_9.2\r\n", "220 mail.example ESMTP\r\n", "<html><body>hello world</body></html>\r\n",
                "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{50}", "\r\n\r\nhello world\r\n\r\n",
            ]
            for text in garbage {
                let scene = Scene(ending: .invalid, wire: Wire(text, end: .close))
                try await subject.plays(scene) { stage in
                    try fails(await stage.exchange(), by: [.invalidResponse], text.debugDescription)
                }
            }
        },
        Law("two lengths that differ are an invalid response") { subject in
            // RFC 9112 §6.3: such an answer must be refused, as recipients could disagree on its
            // end.
            for (first, second) in [(11, 5), (5, 11), (11, 12)] {
                let fields = "Content-Length: \(first)\r\nContent-Length: \(second)"
                let wire = Wire("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello world", end: .close)
                try await subject.plays(Scene(ending: .invalid, wire: wire)) { stage in
                    let found = "an answer with the lengths \(first) and \(second)"
                    try fails(await stage.exchange(), by: [.invalidResponse], found)
                }
            }
        },
    ]

    static let marker = HTTPField.Name("X-Law") ?? .server

    private static func kept(_ value: String) -> HTTPResponse {
        HTTPResponse(status: .ok, headerFields: [marker: value])
    }

    static func fails(
        _ result: Result<(head: HTTPResponse, body: [UInt8]), TransportError>, by codes: [TransportError.Code],
        _ sent: String
    ) throws {
        switch result {
        case .success(let answer):
            throw FailedRequirement(
                found: "\(sent) came as the answer \(answer.head.status) with the body \(text(answer.body))")
        case .failure(let error):
            try require(codes.contains(error.code), "\(sent) threw \(error)")
        }
    }
}
