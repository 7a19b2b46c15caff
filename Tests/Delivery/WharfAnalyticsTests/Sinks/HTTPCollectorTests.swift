import Testing
import WharfAnalytics
import WharfCore
import WharfFakes
import WharfJSON

@Suite struct HTTPCollectorTests {
    static let endpoint = HTTPRequest(
        method: .post, scheme: "https", authority: "collect.example.com", path: "/v1/events?key=secret",
        headerFields: [.authorization: "Bearer t"])

    private func sent(_ request: TransportRequest) throws -> JSONValue {
        guard case .bytes(let bytes) = request.body else { return nil }
        return try JSON.decode(JSONValue.self, from: bytes)
    }

    private func ids(_ request: TransportRequest) throws -> [String] {
        guard case .array(let events)? = try sent(request)["events"]?.content else { return [] }
        return events.compactMap { event in
            guard case .string(let id)? = event["id"]?.content else { return nil }
            return String(id.dropFirst("event-".count))
        }
    }

    private func collector(_ network: StubTransport, format: CollectorFormat = CollectorFormat()) -> HTTPCollector {
        HTTPCollector(
            endpoint: Self.endpoint, transport: network, format: format,
            configuration: .init(timeout: .seconds(9), clock: TestClock().wall))
    }

    @Test func aBatchIsOneRequestWithItsKey() async throws {
        let network = StubTransport([.ok("{}")])
        let batch = [KeyedEvent].samples(3)
        #expect(await collector(network).send(batch) == [.delivered, .delivered, .delivered])
        let request = try #require(network.requests.first)
        #expect(request.head.method == .post)
        #expect(request.head.authority == "collect.example.com")
        #expect(request.head.path == "/v1/events?key=secret")
        #expect(request.head.headerFields[.authorization] == "Bearer t")
        #expect(request.head.headerFields[.contentType] == "application/json")
        #expect(request.head.headerFields[HTTPField.Name("Idempotency-Key")!] == "\"\(batch.key.text)\"")
        #expect(request.isIdempotent)
        #expect(request.timeout == .seconds(9))
        #expect(try sent(request) == ["events": .init(.array(batch.map(\.event.json)))])
    }

    @Test func theSameBatchIsTheSameRequestEachTime() async {
        let network = StubTransport([.failure(.connectionLost), .ok("")])
        let batch = [KeyedEvent].samples(3)
        _ = await collector(network).send(batch)
        _ = await collector(network).send(batch)
        #expect(network.requests[0].head == network.requests[1].head)
        guard case .bytes(let first) = network.requests[0].body, case .bytes(let second) = network.requests[1].body
        else { return #expect(Bool(false)) }
        #expect(first == second)
    }

    @Test func collectorFormatSetsMappingAndEnvelope() async throws {
        var format = CollectorFormat()
        format.event = { ["type": .init(.string($0.name)), "id": .init(.string($0.id))] }
        format.envelope = { events, _ in ["api_key": "k", "batch": .init(.array(events))] }
        let network = StubTransport([.ok("")])
        _ = await collector(network, format: format).send(.samples(1))
        #expect(
            try sent(network.requests[0])
                == ["api_key": "k", "batch": [["type": "film.opened", "id": "event-0"]]])
    }

    @Test func tooLargeBatchIsSentInHalvesWithTheirOwnKeys() async throws {
        let network = StubTransport([.respond(.contentTooLarge), .ok(""), .ok("")])
        let batch = [KeyedEvent].samples(5)
        #expect(await collector(network).send(batch) == batch.map { _ in .delivered })
        #expect(try network.requests.map(ids) == [["0", "1", "2", "3", "4"], ["0", "1"], ["2", "3", "4"]])
        let keys = network.requests.map { $0.head.headerFields[HTTPField.Name("Idempotency-Key")!] }
        #expect(keys == [batch.key, batch[..<2].key, batch[2...].key].map { "\"\($0.text)\"" })
    }

    @Test func oneEventThatIsTooLargeAloneIsRejected() async throws {
        let network = StubTransport { request in
            guard case .bytes(let bytes) = request.body else { return .ok("") }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.contains("event-2") ? .respond(.contentTooLarge) : .ok("")
        }
        let verdicts = await collector(network).send(.samples(4))
        #expect(verdicts.map(\.isRejection) == [false, false, true, false])
        #expect(verdicts[2].rejection?.status == 413)
        #expect(verdicts.filter { $0 == .delivered }.count == 3)
    }

    @Test(arguments: [
        #"{"errors":[{"index":1,"why":"no name"},{"id":"event-3"}]}"#,
        #"{"errors":[{"index":1},{"index":3},{"index":99},{"index":-1},{"id":"nobody"},7]}"#,
    ])
    func eventsNamedByA400AreRejectedAndTheRestDelivered(answer: String) async throws {
        let network = StubTransport([.respond(.badRequest, answer), .ok("")])
        let verdicts = await collector(network).send(.samples(4))
        #expect(verdicts.map(\.isRejection) == [false, true, false, true])
        #expect(verdicts[0] == .delivered && verdicts[2] == .delivered)
        #expect(verdicts[1].rejection?.message.contains("errors") == true)
        #expect(try network.requests.map(ids) == [["0", "1", "2", "3"], ["0", "2"]])
    }

    @Test func collectorFormatReadsTheRefusedEvents() async {
        var format = CollectorFormat()
        format.answer = { $0.body?["bad"]?[0] == 2 && $0.events[2].id == "event-2" ? .refused(events: [2]) : nil }
        let network = StubTransport([.respond(.unprocessableContent, #"{"bad":[2]}"#), .ok("")])
        let verdicts = await collector(network, format: format).send(.samples(3))
        #expect(verdicts.map(\.isRejection) == [false, false, true])
    }

    @Test(arguments: ["", "not JSON", #"{"errors":"?"}"#])
    func badEventIsFoundByHalvesIfThe400NamesNone(answer: String) async throws {
        let network = StubTransport { request in
            guard case .bytes(let bytes) = request.body else { return .ok("") }
            let isBad = String(decoding: bytes, as: UTF8.self).contains("event-5")
            return isBad ? .respond(.badRequest, answer) : .ok("")
        }
        let verdicts = await collector(network).send(.samples(8))
        #expect(verdicts.indices.filter { verdicts[$0].isRejection } == [5])
        #expect(verdicts.filter { $0 == .delivered }.count == 7)
        #expect(network.requests.count == 7)
    }

    @Test(arguments: ["120", nil]) func a429IsARateLimit(after: String?) async {
        let fields: HTTPFields = after.map { [.retryAfter: $0] } ?? [:]
        let network = StubTransport([.respond(.tooManyRequests, fields: fields)])
        for verdict in await collector(network).send(.samples(2)) {
            #expect(verdict.name == (after == nil ? "rate limited" : "rate limited 120"))
        }
    }

    @Test(
        arguments: [
            (503, "Sun, 09 Sep 2001 01:47:00 GMT", 20), (503, nil, nil), (500, nil, nil),
            (404, nil, nil), (403, nil, nil), (302, nil, nil), (401, nil, nil), (407, "7", 7),
        ] as [(Int, String?, Int64?)])
    func everyOtherStatusIsARetry(status: Int, after: String?, seconds: Int64?) async {
        let fields: HTTPFields = after.map { [.retryAfter: $0] } ?? [:]
        let network = StubTransport([.respond(.init(code: status), fields: fields)])
        for verdict in await collector(network).send(.samples(2)) {
            guard case .retry(let failure, let pause) = verdict else { return #expect(Bool(false), "\(verdict)") }
            #expect(failure.code == .unavailable)
            #expect(failure.status == status)
            #expect(pause == seconds.map { .seconds($0) })
        }
    }

    @Test(
        arguments: [
            (.offline, "offline"), (.hostNotFound, "offline"), (.connectionFailed, "offline"), (.timedOut, "retry"),
            (.connectionLost, "retry"), (.pinningFailed, "offline"), (.cancelled, "retry"), (.invalidRequest, "retry"),
            (.credentialUnavailable, "offline"),
        ] as [(TransportError.Code, String)])
    func transportErrorIsOfflineOrARetry(code: TransportError.Code, expected: String) async {
        let verdicts = await collector(StubTransport([.failure(code)])).send(.samples(2))
        #expect(verdicts.count == 2)
        for verdict in verdicts {
            switch verdict {
            case .offline: #expect(expected == "offline")
            case .retry(_, let after): #expect(expected == "retry" && after == nil)
            default: #expect(Bool(false), "\(verdict)")
            }
        }
    }

    @Test func deliveredHalfStaysDeliveredIfTheNextFails() async {
        let network = StubTransport([
            .respond(.contentTooLarge), .ok(""), .respond(.contentTooLarge), .failure(.connectionLost),
        ])
        let verdicts = await collector(network).send(.samples(6))
        #expect(verdicts[..<3].allSatisfy { $0 == .delivered })
        #expect(verdicts[3...].allSatisfy { $0.isRetry })
        // Nothing is sent after a failure, to keep the order and to spare the service.
        #expect(network.requests.count == 4)
    }

    @Test func collectorFormatOverridesTheStatus() async {
        let network = StubTransport([.respond(.forbidden), .respond(.conflict)])
        var format = CollectorFormat()
        format.answer = { answer in
            switch answer.head.status {
            case .forbidden: .refused(events: [0])
            case .conflict: .accepted
            default: nil
            }
        }
        let own = collector(network, format: format)
        #expect(await own.send(.samples(1)).map(\.isRejection) == [true])
        #expect(await own.send(.samples(1)) == [.delivered])
    }

    @Test func anAnswerThatBreaksOffAfterItsHeadCounts() async {
        let answer = StubAnswer(
            head: HTTPResponse(status: .ok), failure: TransportError(.connectionLost, message: "cut"))
        #expect(await collector(StubTransport([answer])).send(.samples(1)) == [.delivered])
    }

    @Test(arguments: [200, 400, 503])
    func formatIsNotAskedAboutABrokenAnswer(status: Int) async {
        let answer = StubAnswer(
            head: HTTPResponse(status: .init(code: status), headerFields: [.retryAfter: "7"]),
            chunks: [Array(#"{"failed":["#.utf8)], failure: TransportError(.connectionLost, message: "cut"))
        var format = CollectorFormat()
        format.answer = { _ in .accepted }
        let network = StubTransport([answer, .ok("")])
        for verdict in await collector(network, format: format).send(.samples(2)) {
            guard case .retry(let failure, let pause) = verdict else { return #expect(Bool(false), "\(verdict)") }
            #expect(failure.code == .noAnswer && failure.status == status)
            #expect(pause == .seconds(7))
        }
        #expect(network.requests.count == 1)
    }

    @Test(arguments: ["", "not JSON", String(repeating: " ", count: 300_000)])
    func formatIsAskedAboutABodyThatIsNotJSON(body: String) async {
        var format = CollectorFormat()
        format.answer = { $0.body == nil ? .accepted : nil }
        let network = StubTransport([.respond(.internalServerError, body)])
        #expect(await collector(network, format: format).send(.samples(1)) == [.delivered])
    }

    @Test func messagesDoNotShowKeys() async {
        let verdicts = await collector(StubTransport([.respond(.forbidden)])).send(.samples(1))
        #expect("\(verdicts)".contains("collect.example.com"))
        #expect(!"\(verdicts)".contains("secret"))
    }
}
