import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfHTTP

@Suite struct APIClientFailureTests {
    private let request = Request<User>.get("users/1", query: ["token": "hunter2"])

    @Test(arguments: [
        HTTPResponse.Status.notModified, .multipleChoices, .found, .badRequest, .unauthorized, .notFound, .gone,
        .internalServerError, .serviceUnavailable,
    ])
    func failureStatusCarriesHeadAndExcerpt(_ status: HTTPResponse.Status) async throws {
        let script = StubTransport { _ in .respond(status, fields: [.retryAfter: "9"], "because") }
        let snapshot = try await APIClient.testing(script).snapshot(request)
        let failure = try #require(snapshot.error)
        #expect(snapshot.kept == nil)
        #expect(failure.code == .status)
        #expect(failure.response?.status == status)
        #expect(failure.response?.headerFields[.retryAfter] == "9")
        #expect(String(decoding: failure.excerpt, as: UTF8.self) == "because")
        #expect(failure.message.contains("GET https://api.example.com/users/1?token=***"))
        #expect(!failure.message.contains("hunter2"))
    }

    @Test(arguments: [HTTPResponse.Status.ok, .created, .accepted, .nonAuthoritativeInformation, .partialContent])
    func everySuccessIsAValue(_ status: HTTPResponse.Status) async throws {
        let script = StubTransport([.respond(status, #"{"id": 1, "name": "Ann"}"#)])
        let kept = try await APIClient.testing(script).fetch(request)
        #expect(kept.value == .ann)
        #expect(kept.response?.status == status)
    }

    @Test func excerptOfEndlessErrorBodyIsBounded() async throws {
        let body = EndlessBody(chunk: Array(repeating: 120, count: 3000))
        let transport = BodyTransport(status: .badRequest) { BodyStream(body) }
        let snapshot = try await APIClient.testing(transport).snapshot(request)
        #expect(snapshot.error?.excerpt.count == 4096)
        #expect(body.pulled == 2)
        #expect(body.isLetGo)
    }

    @Test func errorStatusWithBrokenBodyKeepsItsStatus() async throws {
        var answer = StubAnswer.respond(.notFound, "par")
        answer.failure = TransportError(.connectionLost, message: "gone")
        let snapshot = try await APIClient.testing(StubTransport([answer])).snapshot(request)
        #expect(snapshot.error?.code == .status)
        #expect(snapshot.error?.excerpt == Array("par".utf8))
        #expect((snapshot.error?.cause as? TransportError)?.code == .connectionLost)
    }

    @Test func aBodyBeyondTheLimitIsLetGoAtOnce() async throws {
        let body = EndlessBody(chunk: Array(repeating: 120, count: 400))
        let transport = BodyTransport(status: .ok) { BodyStream(body) }
        var request = Request.get("big", decoding: .bytes)
        request.maximumBodyBytes = 1000
        let snapshot = try await APIClient.testing(transport).snapshot(request)
        #expect(snapshot.error?.code == .tooLarge)
        #expect(snapshot.error?.response?.status == .ok)
        #expect(body.pulled == 3)
        #expect(body.isLetGo)
    }

    @Test func anAnnouncedLengthBeyondTheLimitIsNotReadAtAll() async throws {
        let body = EndlessBody(chunk: [1])
        let transport = BodyTransport(status: .ok) { BodyStream(body, expectedLength: 17 << 20) }
        let snapshot = try await APIClient.testing(transport).snapshot(.get("big", decoding: .bytes))
        #expect(snapshot.error?.code == .tooLarge)
        #expect(body.pulled == 0)
        #expect(body.isLetGo)
    }

    @Test func aBodyOfExactlyTheLimitIsRead() async throws {
        var request = Request.get("x", decoding: .bytes)
        request.maximumBodyBytes = 5
        let client = try APIClient.testing(StubTransport([.ok("12345"), .ok("123456")]))
        #expect(try await client.fetch(request).value.count == 5)
        #expect(await client.snapshot(request).error?.code == .tooLarge)
    }

    @Test(arguments: [
        TransportError.Code.connectionFailed, .hostNotFound, .offline, .connectionLost, .timedOut, .tlsFailed,
        .invalidResponse, .tooManyRedirects,
    ])
    func transportFailureKeepsItsCode(_ code: TransportError.Code) async throws {
        let snapshot = try await APIClient.testing(StubTransport([.failure(code)])).snapshot(request)
        #expect(snapshot.error?.code.name == code.name)
        #expect((snapshot.error?.cause as? TransportError)?.code == code)
    }

    @Test func invalidRequestIsRefusedBeforeSending() async throws {
        let script = StubTransport([.ann])
        let snapshot = try await APIClient.testing(script).snapshot(Request<User>.get("users/\("")"))
        #expect(snapshot.error?.code == .invalidRequest)
        #expect(script.requests.isEmpty)
    }

    @Test func clientPassesTimeoutAccountAndBodyToTheTransport() async throws {
        let script = StubTransport([.ann, .ann])
        let client = APIClient(
            environment: try APIEnvironment("https://h"), transport: script, account: Account("ann"),
            timeout: .seconds(5)
        )
        var request = Request<User>.post("users", json: User.ann)
        request.isIdempotent = true
        _ = await client.snapshot(request)
        request.timeout = .seconds(1)
        _ = await client.snapshot(request)
        #expect(script.requests.map(\.timeout) == [.seconds(5), .seconds(1)])
        #expect(script.requests.map(\.isIdempotent) == [true, true])
        #expect(script.requests.first?.account == Account("ann"))
        #expect(script.requests.first?.body.text == #"{"id":1,"name":"Ann"}"#)
    }

    @Test func cancellationEndsAReadThatWaitsForItsHead() async throws {
        let gate = Gate()
        let client = try APIClient.testing(StubTransport([.ann.held(by: gate)]))
        let task = Task { [request] in await client.snapshot(request) }
        await gate.arrivals()
        task.cancel()
        #expect(await task.value.error?.code == .cancelled)
    }

    @Test func cancellationEndsAReadThatWaitsForItsBody() async throws {
        let gate = Gate()
        var answer = StubAnswer.ann
        answer.bodyGate = gate
        let client = try APIClient.testing(StubTransport([answer]))
        let task = Task { [request] in await client.snapshot(request) }
        await gate.arrivals()
        task.cancel()
        #expect(await task.value.error?.code == .cancelled)
    }

    @Test func aStreamedBodyIsNotCollected() async throws {
        let body = EndlessBody(chunk: [1, 2])
        let client = try APIClient.testing(BodyTransport(status: .ok) { BodyStream(body) })
        var response: TransportResponse? = try await client.response(to: .get("film", decoding: .bytes))
        #expect(body.pulled == 0)
        var chunks = response?.body.makeAsyncIterator()
        #expect(try await chunks?.next() == [1, 2])
        #expect(!body.isLetGo)
        chunks = nil
        response = nil
        #expect(body.isLetGo)
    }
}

/// A body that breaks off after a good head. The cache below has answered already, so the client
/// asks it for the stored response.
@Suite struct BrokenBodyTests {
    private let request = Request<User>.get("users/1")

    private func transport(hasCache: Bool) -> (any Transport, StubTransport) {
        var broken = StubAnswer.ok(#"{"id": 2, "na"#)
        broken.failure = TransportError(.connectionLost, message: "the connection broke")
        let script = StubTransport { [broken] request in request.cache == .storedOnly ? .ann : broken }
        let marked = Marked(script) { request, provenance in
            if request.cache == .storedOnly { provenance.source = .httpCache }
            if hasCache { provenance.cacheStatus = CacheStatus(hit: false, forward: .uriMiss) }
        }
        return (marked, script)
    }

    @Test func aBodyThatIsTooLargeIsLetGoBeforeTheStoreIsAsked() async throws {
        let body = EndlessBody(chunk: Array(repeating: 120, count: 4000))
        let wasLetGo = Mutex(false)
        let script = StubTransport { _ in
            wasLetGo.withLock { $0 = body.isLetGo }
            return .ann
        }
        let transport = Forked(stored: script, network: BodyTransport(status: .ok) { BodyStream(body) })
        var request = request
        request.maximumBodyBytes = 5000
        let snapshot = try await APIClient.testing(transport).snapshot(request)
        #expect(snapshot.value == .ann)
        #expect(snapshot.error?.code == .tooLarge)
        #expect(wasLetGo.withLock { $0 })
    }

    @Test(arguments: [ReadPolicy.standard, .networkFirst])
    func keptAnswerIsServedBesideTheNetworkError(_ policy: ReadPolicy) async throws {
        let snapshot = try await APIClient.testing(transport(hasCache: true).0).snapshot(request, policy: policy)
        #expect(snapshot.value == .ann)
        #expect(snapshot.kept?.source == .httpCache)
        #expect(snapshot.error?.code == .connectionLost)
    }

    @Test func networkOnlyHasNoFallback() async throws {
        let (transport, script) = transport(hasCache: true)
        let snapshot = try await APIClient.testing(transport).snapshot(request, policy: .networkOnly)
        #expect(snapshot.kept == nil)
        #expect(snapshot.error?.code == .connectionLost)
        #expect(script.requests.count == 1)
    }

    @Test func failedRequestWithoutCacheIsNotRepeated() async throws {
        let (transport, script) = transport(hasCache: false)
        let snapshot = try await APIClient.testing(transport).snapshot(request)
        #expect(snapshot.kept == nil)
        #expect(script.requests.count == 1)
    }
}

/// A transport for stored responses and another for the network, with the marks of a cache.
private struct Forked: Transport {
    let stored: any Transport
    let network: any Transport

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var response = try await (request.cache == .storedOnly ? stored : network).send(request)
        response.provenance.cacheStatus = CacheStatus(hit: false, forward: .uriMiss)
        return response
    }
}
