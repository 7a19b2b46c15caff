import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfRandom
import WharfRecording

struct RecordingTests {
    let folder: TemporaryFolder
    var file: String { folder["exchanges.json"] }

    init() throws { folder = try TemporaryFolder() }

    private func text() throws -> String { String(decoding: try folder.bytes(of: "exchanges.json"), as: UTF8.self) }

    @Test func recordingFileIsReadableAndPrivate() async throws {
        let stub = StubTransport([
            .respond(.created, fields: [.contentType: "application/json"], #"{"id":1,"tags":["a"]}"#),
            .ok("one\ntwo", fields: [.eTag: "\"1\""]),
            StubAnswer(head: HTTPResponse(status: .ok), chunks: [[0xff, 0]]),
            .failure(.timedOut),
        ])
        let recorder = try RecordingTransport(over: stub, into: file)
        var request = TransportRequest.sample(.post, "/notes?draft=1", body: #"{"text":"é"}"#)
        request.head.headerFields[.accept] = "application/json"
        _ = try await recorder.send(request).body.collect()
        _ = try await recorder.text("/text")
        _ = try await recorder.send(.sample(.get, "/bytes")).body.collect()
        #expect(await recorder.failure("/late")?.code == .timedOut)
        #expect(
            try text() == """
                {
                  "wharfRecording": 1,
                  "exchanges": [
                    {
                      "request": {
                        "method": "POST",
                        "url": "https://api.example.com/notes?draft=1",
                        "fields": {
                          "Accept": "application/json"
                        },
                        "body": {
                          "json": {
                            "text": "é"
                          }
                        }
                      },
                      "answer": {
                        "status": 201,
                        "fields": {
                          "Content-Type": "application/json"
                        },
                        "body": {
                          "json": {
                            "id": 1,
                            "tags": [
                              "a"
                            ]
                          }
                        }
                      }
                    },
                    {
                      "request": {
                        "method": "GET",
                        "url": "https://api.example.com/text"
                      },
                      "answer": {
                        "status": 200,
                        "fields": {
                          "ETag": "\\"1\\""
                        },
                        "body": {
                          "lines": [
                            "one",
                            "two"
                          ]
                        }
                      }
                    },
                    {
                      "request": {
                        "method": "GET",
                        "url": "https://api.example.com/bytes"
                      },
                      "answer": {
                        "status": 200,
                        "body": {
                          "base64": "/wA="
                        }
                      }
                    },
                    {
                      "request": {
                        "method": "GET",
                        "url": "https://api.example.com/late"
                      },
                      "answer": {
                        "failure": {
                          "code": "timedOut",
                          "message": "scripted timedOut"
                        }
                      }
                    }
                  ]
                }

                """)
        #expect(try folder.permissions(of: "exchanges.json") == 0o600)
        #expect(try folder.names == ["exchanges.json"])
    }

    @Test func brokenBodyIsRecordedWithItsFailure() async throws {
        let broken = StubAnswer(
            head: HTTPResponse(status: .ok), chunks: [Array("half".utf8)],
            failure: TransportError(.connectionLost, message: "scripted"))
        let recorder = try RecordingTransport(over: StubTransport([broken]), into: file)
        #expect(await recorder.failure("/")?.code == .connectionLost)
        let replay = try ReplayTransport(file)
        let body = try await replay.send(.sample(.get, "/")).body
        var chunks: [[UInt8]] = []
        let error = await #expect(throws: TransportError.self) { for try await chunk in body { chunks.append(chunk) } }
        #expect(error?.code == .connectionLost && error?.message == "scripted")
        #expect(chunks == [Array("half".utf8)])
    }

    @Test func abandonedBodyIsReportedWhenReplayed() async throws {
        let stub = StubTransport([StubAnswer(head: HTTPResponse(status: .ok), chunks: [[1], [2]])])
        let recorder = try RecordingTransport(over: stub, into: file)
        do {
            var body = try await recorder.send(.sample(.get, "/")).body.makeAsyncIterator()
            #expect(try await body.next(isolation: nil) == [1])
        }
        let error = try await #require(ReplayTransport(file).failure("/"))
        #expect(error.message.contains("the reader cancelled this body when it was recorded"))
    }

    @Test func aStreamedRequestIsRecordedAsItWasSent() async throws {
        let recorder = try RecordingTransport(
            over: StubTransport { request in
                guard case .stream(let make, _) = request.body else { return .respond(.badRequest) }
                do { return .ok(String(decoding: try await make().collect(), as: UTF8.self)) } catch {
                    return .failure(.offline)
                }
            }, into: file)
        var request = TransportRequest.sample(.post, "/")
        request.body = .stream({ BodyStream(Array("streamed".utf8)) }, length: nil)
        _ = try await recorder.send(request).body.collect()
        let replay = try ReplayTransport(file)
        #expect(try await replay.send(.sample(.post, "/", body: "streamed")).body.collect() == Array("streamed".utf8))
    }

    @Test func equalRequestsAreAnsweredInTurnAndOthersInAnyOrder() async throws {
        let recorder = try RecordingTransport(over: StubTransport([.ok("1"), .ok("2"), .ok("3")]), into: file)
        for path in ["/a", "/b", "/a"] { _ = try await recorder.text(path) }
        let replay = try ReplayTransport(file)
        var answers: [String] = []
        for path in ["/a", "/a", "/b"] { answers.append(try await replay.text(path)) }
        #expect(answers == ["1", "3", "2"])
        let message = await expectingIssue { await replay.refusal(.sample(.get, "/a")) }
        #expect(message?.contains("once more than expected") == true, "\(message ?? "")")
    }

    /// Members of JSON, and items of a query, have no order in the comparison of a replay.
    @Test(arguments: [
        ("/a", #"{"x":1,"y":[true]}"#, "/a", #"{"y":[true],"x":1}"#),
        ("/a", #"{"x":1}"#, "/a", #"{ "x": 1.0 }"#),
        ("/a?b=1&c=2", "[]", "/a?c=2&b=1", "[]"),
    ])
    func lastAnswerToEqualRequestsIsRepeated(
        path: String, body: String, otherPath: String, otherBody: String
    ) async throws {
        let requests = [TransportRequest.sample(.post, path, body: body), .sample(.post, otherPath, body: otherBody)]
        let recorder = try RecordingTransport(over: StubTransport([.ok("first"), .ok("last")]), into: file)
        for request in requests { _ = try await recorder.send(request).body.collect() }
        var configuration = ReplayTransport.Configuration()
        configuration.repeatsLast = true
        let replay = try ReplayTransport(file, configuration: configuration)
        var answers: [String] = []
        for request in requests + requests {
            let bytes = try await replay.send(request).body.collect()
            answers.append(String(decoding: bytes, as: UTF8.self))
        }
        #expect(answers == ["first", "last", "last", "last"])
    }

    /// The texts of both requests are the same, so only the comparison tells them apart.
    @Test func lastAnswerToEachDifferentRequestIsRepeated() async throws {
        let requests = [#"{"x":1}"#, #"{"x":2}"#].map { TransportRequest.sample(.post, "/a", body: $0) }
        let recorder = try RecordingTransport(over: StubTransport([.ok("1"), .ok("2")]), into: file)
        for request in requests { _ = try await recorder.send(request).body.collect() }
        var configuration = ReplayTransport.Configuration()
        configuration.repeatsLast = true
        let replay = try ReplayTransport(file, configuration: configuration)
        for (request, answer) in zip(requests + requests, ["1", "2", "1", "2"]) {
            let sent = try await replay.send(request).body.collect()
            #expect(String(decoding: sent, as: UTF8.self) == answer)
        }
    }

    @Test func aRequestThatWasNotRecordedFailsWithItsDifference() async throws {
        let recorder = try RecordingTransport(over: StubTransport([.ok("")]), into: file)
        _ = try await recorder.send(.sample(.put, "/notes/1", body: #"{"text":"a","at":1}"#)).body.collect()
        let replay = try ReplayTransport(file)
        let message = await expectingIssue {
            await replay.refusal(.sample(.put, "/notes/1", body: #"{"text":"b","at":1}"#))
        }
        #expect(message?.contains("- body    text: \"a\"\n+ body    text: \"b\"") == true, "\(message ?? "")")
        let lenient = try ReplayTransport(file, configuration: .init(matchesBody: false))
        #expect(await lenient.refusal(.sample(.put, "/notes/1", body: "{}")) == nil)
    }

    @Test func onlyNamedFieldsAreMatched() async throws {
        let recorder = try RecordingTransport(over: StubTransport([.ok("json"), .ok("plain")]), into: file)
        var request = TransportRequest.sample(.get, "/")
        request.head.headerFields[.accept] = "application/json"
        _ = try await recorder.send(request).body.collect()
        _ = try await recorder.text("/")
        let replay = try ReplayTransport(file, configuration: .init(fields: [.accept]))
        #expect(try await replay.text("/") == "plain")
        #expect(try await replay.send(request).body.collect() == Array("json".utf8))
    }

    @Test func unwritableFileIsReportedAtStartAndLater() async throws {
        let error = #expect(throws: RecordingError.self) {
            try RecordingTransport(over: StubTransport([]), into: folder["no/such/folder.json"])
        }
        #expect(error?.code == .unwritable)
        let lost = try TemporaryFolder.lost()
        let recorder = try RecordingTransport(over: StubTransport([.ok("a")]), into: lost.file)
        try lost.remove()
        let late = await recorder.failure("/")
        #expect(late?.code == .recordingFailed && (late?.cause as? RecordingError)?.code == .unwritable)
    }

    @Test(arguments: [
        ("{\n  \"wharfRecording\": 1,\n  \"exchanges\": [}\n", "malformed", "3:17"),
        ("{\"wharfRecording\": 2, \"exchanges\": []}", "unknownVersion", "version 2"),
        ("{\"exchanges\": []}", "malformed", "1:1"),
        ("{\"wharfRecording\": 1,\n \"exchanges\": [{\"request\": 5}]}", "malformed", "2:28"),
        (
            "{\"wharfRecording\": 1, \"exchanges\": [{\"request\": {\"method\": \"GET\",\n\"url\": \"/\", \"body\": {\"xml\": 1}}, "
                + "\"answer\": {}}]}", "malformed", "2:21"
        ),
        (
            "{\"wharfRecording\": 1, \"exchanges\": [{\"request\": {\"method\": \"GET\", \"url\": \"/\"},\n\"answer\": {\"status\": 70000}}]}",
            "malformed", "2:22"
        ),
        (
            "{\"wharfRecording\": 1, \"exchanges\": [{\"request\": {\"method\": \"G T\", \"url\": \"/\"}, \"answer\": {}}]}",
            "malformed", "method"
        ),
    ])
    func damagedRecordingNamesThePlace(text: String, code: String, place: String) throws {
        try folder.write(text, "exchanges.json")
        let error = #expect(throws: RecordingError.self) { try ReplayTransport(file) }
        #expect(error?.code.name == code)
        #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
    }

    @Test func missingRecordingIsUnreadable() {
        let error = #expect(throws: RecordingError.self) { try ReplayTransport(folder["nowhere.json"]) }
        #expect(error?.code == .unreadable)
    }

    @Test func anEditedLengthIsCorrected() async throws {
        try folder.write(
            """
            {"wharfRecording": 1, "exchanges": [{
              "request": {"method": "GET", "url": "https://api.example.com/"},
              "answer": {"status": 200, "fields": {"Content-Length": "3"}, "body": {"text": "edited by hand"}}
            }]}
            """, "exchanges.json")
        let response = try await ReplayTransport(file).send(.sample(.get, "/"))
        #expect(response.head.headerFields[.contentLength] == "14")
    }

    /// For every answer of the service, a replay has the same bytes, and the file reads back as it
    /// was written.
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func aReplayGivesTheBytesThatWereRecorded(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let bodies = (0..<6).map { _ in random.body() }
        let answers = bodies.map { body in
            StubAnswer(
                head: HTTPResponse(status: .ok, headerFields: [.eTag: "\"\(body.count)\""]), chunks: random.cut(body))
        }
        let recorder = try RecordingTransport(over: StubTransport(answers), into: file)
        for index in bodies.indices {
            let live = try await recorder.send(.sample(.post, "/\(index % 4)", body: "q\(index)")).body.collect()
            #expect(live == bodies[index])
        }
        let replay = try ReplayTransport(file)
        for index in bodies.indices.shuffled(using: &random) {
            let response = try await replay.send(.sample(.post, "/\(index % 4)", body: "q\(index)"))
            #expect(response.head.headerFields[.eTag] == "\"\(bodies[index].count)\"")
            let body = try await response.body.collect()
            #expect(
                String(decoding: body, as: UTF8.self) == String(decoding: bodies[index], as: UTF8.self), "\(random)")
            #expect(body == bodies[index], "\(random)")
        }
    }
}

extension TemporaryFolder {
    /// A file in a folder that can be removed.
    fileprivate static func lost() throws -> (file: String, remove: () throws -> Void) {
        var folder: TemporaryFolder? = try TemporaryFolder()
        return (folder?["exchanges.json"] ?? "", { folder = nil })
    }
}

extension SeededGenerator {
    /// JSON in several layouts, text, lines with different ends, and bytes.
    fileprivate mutating func body() -> [UInt8] {
        let texts = [
            "", #"{"a":1,"b":[true,null,"é"]}"#, #"{ "a": 1 }"#, "[]", "[1.0,1e3]", #"{"a":1,"a":2}"#, #"{"u":"\/"}"#,
            "{\n  \"a\": 1\n}\n", "one\r\ntwo\r\n", "a\n\nb", "\u{0}\u{1}", "***", "?q=1&r=2", "null", "{broken",
        ]
        let kind = Int.random(in: 0..<20, using: &self)
        if kind < texts.count { return Array(texts[kind].utf8) }
        return (0..<Int.random(in: 1..<300, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    fileprivate mutating func cut(_ bytes: [UInt8]) -> [[UInt8]] {
        let middle = Int.random(in: 0...bytes.count, using: &self)
        return [Array(bytes[..<middle]), Array(bytes[middle...])]
    }
}
