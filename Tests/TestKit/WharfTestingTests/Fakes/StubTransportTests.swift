import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRecording

@Suite struct StubTransportTests {
    @Test func expectedRequestsAreAnsweredInAnyOrder() async throws {
        let network = StubTransport(expecting: [
            .get("/users/1", .ok("ada")), .post("/notes", .respond(.created)).json(#"{"text": "hello"}"#),
        ])
        let created = try await network.send(.sample(.post, "/notes", body: #"{ "text":"hello" }"#))
        #expect(created.head.status == .created)
        #expect(try await network.text("/users/1") == "ada")
        try network.verify()
    }

    @Test func unexpectedRequestFailsAtTheLineOfTheTransport() async throws {
        let (network, line) = (StubTransport(expecting: [.get("/users/1", .ok("")).times(0...)]), #line)
        var seen: TransportError?
        await withKnownIssue {
            seen = await network.failure("/users/2")
        } matching: { issue in
            issue.sourceLocation?.line == line && issue.comments.contains { $0.rawValue.contains("+ path    /users/2") }
        }
        #expect(seen?.code == .unexpectedRequest)
        #expect((seen?.cause as? ExpectationFailure)?.code == .unexpectedRequest)
        let failure = #expect(throws: ExpectationFailure.self) { try network.verify() }
        #expect(failure?.code == .unexpectedRequest)
    }

    @Test func theMessageShowsTheNearestExpectationLineByLine() async throws {
        let network = StubTransport(expecting: [
            .get("/albums/9", .ok("")).times(0...),
            .post("https://api.example.com/notes?draft=1", query: ["tag": "a b"], .ok(""))
                .field(.accept, "application/json")
                .json(#"{"title": "t", "lines": [1, 2.0, {"id": 3}], "gone": null}"#).times(...2),
        ])
        var request = TransportRequest.sample(
            .post, "/notes?tag=a+b&draft=2", body: #"{"lines": [1, 2, {"id": 4}], "title": "t", "new": true}"#)
        request.head.authority = "api.example.org"
        request.head.headerFields[.accept] = "*/*"
        let message = await expectingIssue { await network.refusal(request) }
        #expect(
            message == """
                unexpected request: POST https://api.example.org/notes?tag=a+b&draft=2
                the nearest of 2 is number 2, expected at most twice, never arrived; - expected, + arrived:
                  method  POST
                - origin  https://api.example.com
                + origin  https://api.example.org
                  path    /notes
                - query   draft=1
                  query   tag=a b
                + query   draft=2
                - field   Accept: application/json
                + field   Accept: */*
                - body    lines[2].id: 3
                + body    lines[2].id: 4
                - body    gone: null
                + body    new: true
                """)
    }

    @Test func textIsComparedLineByLineAndBytesByTheirOffset() async throws {
        let text = StubTransport(expecting: [.put("/text", .ok("")).body("one\ntwo\nthree").times(0...)])
        let message = await expectingIssue { await text.refusal(.sample(.put, "/text", body: "one\n2\nthree")) }
        #expect(message?.hasSuffix("- body    line 2: two\n+ body    line 2: 2") == true, "\(message ?? "")")
        let bytes = StubTransport(expecting: [.put("/bytes", .ok("")).body([0xff, 1, 2]).times(0...)])
        let offset = await expectingIssue { await bytes.refusal(.sample(.put, "/bytes", body: "x")) }
        #expect(offset?.contains("alike up to offset 0") == true, "\(offset ?? "")")
    }

    @Test func aQueryIsExpectedExactly() async throws {
        let network = StubTransport(expecting: [.get("/plain", .ok("")).times(0...)])
        let message = await expectingIssue { await network.refusal(.sample(.get, "/plain?page=2")) }
        #expect(message?.contains("+ query   page=2") == true)
    }

    @Test func invalidExpectationIsReported() async throws {
        let network = StubTransport(expecting: [.post("/notes", .ok("")).json("{oops").times(0...)])
        let message = await expectingIssue { await network.refusal(.sample(.post, "/notes", body: "{}")) }
        #expect(message?.contains("the JSON of the expectation is invalid: ") == true, "\(message ?? "")")
    }

    @Test(arguments: [(1...1, 2), (0...0, 1), (0...2, 3), (2...3, 4)])
    func requestBeyondTheExpectedCountIsRefused(count: ClosedRange<Int>, request: Int) async throws {
        let network = StubTransport(expecting: [.get("/", .ok("")).times(count)])
        for _ in 1..<request { _ = try await network.text("/") }
        let message = await expectingIssue { await network.refusal(.sample(.get, "/")) }
        #expect(message?.contains("once more than expected") == true, "\(message ?? "")")
    }

    @Test func equalExpectationsAnswerOneAfterTheOther() async throws {
        let network = StubTransport(expecting: [
            .get("/", .ok("first")), .get("/", .ok("second")).times(2), .get("/", .ok("rest")).times(0...),
        ])
        var answers: [String] = []
        for _ in 0..<5 { answers.append(try await network.text("/")) }
        #expect(answers == ["first", "second", "second", "rest", "rest"])
        try network.verify()
    }

    @Test func orderedExpectationsRefuseRequestsOutOfOrder() async throws {
        let network = StubTransport(
            expecting: [.get("/1", .ok("")), .get("/2", .ok("")).times(0...1), .get("/3", .ok("")).times(1...)],
            inOrder: true)
        let early = await expectingIssue { await network.refusal(.sample(.get, "/3")) }
        #expect(early?.contains("out of order: number 1 is next, GET /1") == true, "\(early ?? "")")
        _ = try await network.text("/1")
        _ = try await network.text("/3")
        _ = try await network.text("/3")
        let late = await expectingIssue { await network.refusal(.sample(.get, "/2")) }
        #expect(late != nil)
    }

    @Test func missingRequestsAreNamed() async throws {
        let network = StubTransport(expecting: [
            .get("/users", query: ["page": "1"], .ok("")).times(2...), .delete("/users/1", .ok("")),
            .patch("/never", .ok("")).times(0...),
        ])
        _ = try await network.text("/users?page=1")
        let failure = #expect(throws: ExpectationFailure.self) { try network.verify() }
        #expect(failure?.code == .missingRequest)
        #expect(
            failure?.message == """
                2 of 3 expected requests did not arrive:
                1. GET /users?page=1, expected at least twice, arrived once
                2. DELETE /users/1, expected once, never arrived
                """)
    }

    @Test func unverifiedTransportReportsMissingRequestsOnRelease() {
        withKnownIssue {
            _ = StubTransport(expecting: [.get("/never", .ok(""))])
        } matching: {
            $0.comments.contains { $0.rawValue.contains("1. GET /never, expected once, never arrived") }
        }
    }

    @Test func satisfiedTransportReportsNothingOnRelease() async throws {
        let network = StubTransport(expecting: [.get("/", .ok(""))])
        _ = try await network.text("/")
    }

    @Test func aBodyThatIsStreamedIsComparedToo() async throws {
        let network = StubTransport(expecting: [.post("/", .ok("")).body("streamed")])
        var request = TransportRequest.sample(.post, "/")
        request.body = .stream({ BodyStream(Array("streamed".utf8)) }, length: nil)
        _ = try await network.send(request)
        try network.verify()
    }

    @Test(arguments: TransportLaws.all)
    func anExpectingStubKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(
            TransportLaws.Subject("an expecting StubTransport") { scene, clock, body in
                let arrived = Gate()
                arrived.open()
                let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]
                let expectations = methods.map { method in
                    StubTransport.Expectation(method, "/") { _ in
                        await arrived.pass()
                        return StubAnswer(scene)
                    }.times(0...)
                }
                let stub = StubTransport(timer: clock, expecting: expectations)
                try await body(.init(transport: stub, stub: stub, playing: scene) { await arrived.arrivals() })
                try stub.verify()
            })
    }
}
