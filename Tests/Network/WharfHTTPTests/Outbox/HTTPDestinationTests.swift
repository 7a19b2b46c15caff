import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfHTTP

@Suite struct HTTPDestinationTests {
    private static let now = WallTime(secondsSince1970: 1_000_000_000)

    private func entry(_ request: OutboxRequest, key: String = "k1") -> OutboxEntry {
        var entry = request.entry(.init("1"), of: Account("ann"), lane: "notes", to: "api", at: Self.now)
        entry.key = IdempotencyKey(key)
        return entry
    }

    private func destination(
        _ transport: StubTransport, classify: @escaping HTTPDestination.Classification = { _, _, _ in nil }
    ) throws -> HTTPDestination {
        let client = APIClient(
            environment: try APIEnvironment("https://api.example.com/v1", fields: [.userAgent: "Test/1"]),
            transport: transport)
        return HTTPDestination("api", client, clock: FixedClock(), classify: classify)
    }

    private struct FixedClock: WallClock {
        func now() -> WallTime { HTTPDestinationTests.now }
    }

    @Test func queuedRequestIsSentWithItsIdempotencyKey() async throws {
        let transport = StubTransport([.respond(.created)])
        let request = OutboxRequest(
            .post, "notes?draft=1", fields: [.contentType: "application/json"], body: Array(#"{"a": 1}"#.utf8))
        #expect(try await destination(transport).deliver(entry(request)).verdict == .delivered)
        let sent = try #require(transport.requests.first)
        #expect(sent.head.method == .post && sent.head.path == "/v1/notes?draft=1")
        #expect(sent.head.headerFields[.contentType] == "application/json")
        #expect(sent.head.headerFields[.userAgent] == "Test/1")
        #expect(sent.head.headerFields[try #require(HTTPField.Name("Idempotency-Key"))] == #""k1""#)
        #expect(sent.account == Account("ann") && sent.isIdempotent && sent.cache == .bypass)
        guard case .bytes(let body) = sent.body else {
            Issue.record("expected bytes")
            return
        }
        #expect(body == request.body)
    }

    @Test func absoluteAddressGetsNoFieldsOfTheEnvironment() async throws {
        let transport = StubTransport([.respond(.noContent)])
        _ = try await destination(transport).deliver(entry(OutboxRequest(.delete, "https://other.example/x")))
        let sent = try #require(transport.requests.first)
        #expect(sent.head.authority == "other.example" && sent.head.headerFields[.userAgent] == nil)
    }

    @Test func outboxRequestRoundTripsThroughItsEntry() async throws {
        let requests = Generator<OutboxRequest> { choices in
            var fields = HTTPFields()
            for value in try choices.draw(.array(of: .string(), count: 0...3)) {
                fields.append(HTTPField(name: .via, value: value))
            }
            let method = try choices.draw(.element(of: [HTTPRequest.Method.post, .put, .patch, .delete]))
            let bytes = try choices.draw(Generator<[UInt8]>.array(of: .int(in: 0...255), count: 0...64))
            return OutboxRequest(method, try choices.draw(.string()), fields: fields, body: bytes)
        }
        try await forAll(requests, runs: 300) { request in
            let entry = entry(request)
            let read = try require(OutboxRequest(entry), "unreadable")
            try require(read.method == request.method && read.fields == request.fields, "\(read)")
            try require(read.body == request.body, "\(read)")
            // No character in an address ends its line.
            try require(OutboxRequest(self.entry(read)) == read, "\(read)")
            let address = request.address
            if !address.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
                try require(read.address == address, "\(read.address)")
            }
        }
    }

    @Test(arguments: [
        (HTTPResponse.Status.ok, "delivered"), (.unauthorized, "needs authentication"), (.conflict, "retry"),
        (.preconditionFailed, "conflict"), (.tooManyRequests, "rate limited 7"), (.serviceUnavailable, "retry 7"),
        (.internalServerError, "retry 7"), (.notImplemented, "rejected"), (.badRequest, "rejected"),
        (.unprocessableContent, "rejected"), (.movedPermanently, "rejected"), (.requestTimeout, "retry 7"),
    ])
    func statusDecidesTheVerdict(status: HTTPResponse.Status, meaning: String) async throws {
        let transport = StubTransport([.respond(status, fields: [.retryAfter: "7"], "why")])
        let verdict = try await destination(transport).deliver(entry(OutboxRequest(.get, "x"))).verdict
        #expect(verdict.name == meaning)
        if case .conflict(let failure, let theirs) = verdict {
            #expect(theirs == Array("why".utf8) && failure.status == status.code && failure.message.contains("why"))
        }
    }

    @Test(arguments: [
        (TransportError.Code.offline, "offline"), (.connectionFailed, "offline"), (.hostNotFound, "offline"),
        (.connectionLost, "retry"), (.timedOut, "retry"), (.credentialUnavailable, "offline"),
        (.invalidRequest, "rejected"), (.pinningFailed, "offline"),
    ])
    func transportFailureDecidesTheVerdict(code: TransportError.Code, meaning: String) async throws {
        let verdict = try await destination(StubTransport([.failure(code)])).deliver(entry(OutboxRequest(.get, "x")))
            .verdict
        #expect(verdict.name == meaning)
    }

    @Test func customInterpretationOverridesTheVerdict() async throws {
        let destination = try destination(StubTransport([.respond(.conflict, "being processed")])) { _, head, body in
            head.status == .conflict && body == Array("being processed".utf8)
                ? Delivery(.retry(DeliveryFailure(.unavailable, message: "in progress"))) : nil
        }
        #expect(await destination.deliver(entry(OutboxRequest(.post, "x"))).verdict.name == "retry")
    }

    @Test func malformedPayloadIsRejected() async throws {
        var entry = entry(OutboxRequest(.get, "x"))
        let destination = try destination(StubTransport([]))
        for payload in [
            [], Array("GET x\r\n".utf8), Array("nonsense\r\n\r\n".utf8), Array("GET x\r\nno field\r\n\r\n".utf8),
        ] {
            entry.payload = payload
            #expect(await destination.deliver(entry).verdict.name == "rejected", "\(payload)")
        }
        entry = self.entry(OutboxRequest(.get, "x"))
        entry.kind.version = 2
        #expect(await destination.deliver(entry).verdict.name == "rejected")
    }

    @Test func temporaryIDsAreReplacedAsWholeTokensOnly() throws {
        let request = OutboxRequest(
            .put, "notes/tmp-1/of/tmp-12?parent=tmp-1", fields: [.contentType: "application/json"],
            body: Array(#"{"id": "tmp-1", "text": "atmp-1 tmp-1b", "other": ["tmp-12"]}"#.utf8))
        let bytes = try destination(StubTransport([])).rewriting(
            entry(request).payload, of: OutboxRequest.kind, ids: ["tmp-1": "42", "tmp-12": "7"])
        var renamed = entry(request)
        renamed.payload = bytes
        let rewritten = try #require(OutboxRequest(renamed))
        #expect(rewritten.address == "notes/42/of/7?parent=42")
        #expect(rewritten.body == Array(#"{"id": "42", "text": "atmp-1 tmp-1b", "other": ["7"]}"#.utf8))
    }
}
