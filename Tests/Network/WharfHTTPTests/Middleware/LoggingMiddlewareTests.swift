import Logging
import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfHTTP
import WharfRandom

@Suite struct LoggingMiddlewareTests {
    private let clock = TestClock()
    private let records = Records()

    private func transport(_ base: any Transport, showing names: Set<String> = []) -> any Transport {
        var logger = Logger(label: "test", factory: { [records] _ in Recorder(records: records) })
        logger.logLevel = .trace
        return base.wrapped(in: [LoggingMiddleware(logger: logger, showing: names, clock: clock)])
    }

    private static func request(_ path: String, method: HTTPRequest.Method = .get) -> TransportRequest {
        var head = HTTPRequest(method: method, scheme: "https", authority: "ann:s3cret-user@h:8443", path: path)
        head.headerFields[.authorization] = "Bearer s3cret-authorization"
        head.headerFields[.cookie] = "id=s3cret-cookie"
        head.headerFields[.proxyAuthorization] = "Basic s3cret-proxy"
        return TransportRequest(head, body: .bytes(Array("s3cret-body".utf8)))
    }

    @Test func anExchangeIsOneLine() async throws {
        let gate = Gate()
        let script = StubTransport([.ok("x").held(by: gate)])
        let task = Task { try await transport(script).send(Self.request("/users?page=2")) }
        await gate.arrivals()
        clock.advance(by: .milliseconds(1234))
        gate.open()
        _ = try await task.value
        let record = try #require(records.all.first)
        #expect(records.all.count == 1)
        #expect(record.level == .info)
        #expect(record.message == "GET https://h:8443/users?page=***")
        #expect(record.metadata == ["status": "200", "source": "network", "milliseconds": "1234"])
    }

    @Test func aFailureIsAWarningWithItsCode() async throws {
        let script = StubTransport([.failure(.offline)])
        await #expect(throws: TransportError.self) { try await transport(script).send(Self.request("/")) }
        #expect(records.all.map(\.level) == [.warning])
        #expect(records.all.first?.metadata == ["error": "offline", "milliseconds": "0"])
    }

    @Test(arguments: [TransportError.Code.cancelled, .nothingKept])
    func cancellationAndCacheMissAreNotWarnings(_ code: TransportError.Code) async throws {
        let script = StubTransport([.failure(code)])
        await #expect(throws: TransportError.self) { try await transport(script).send(Self.request("/")) }
        #expect(records.all.map(\.level) == [.info])
    }

    @Test func aKeptAnswerInPlaceOfANewOneIsAWarning() async throws {
        let kept = Marked(StubTransport([.ok("x")])) { _, provenance in
            provenance.source = .httpCache
            provenance.failure = TransportError(.timedOut, message: "late")
        }
        _ = try await transport(kept).send(Self.request("/"))
        #expect(records.all.map(\.level) == [.warning])
        #expect(
            records.all.first?.metadata
                == ["status": "200", "source": "httpCache", "error": "timedOut", "milliseconds": "0"]
        )
    }

    @Test func allowedNamesKeepTheirValues() async throws {
        let script = StubTransport([.ok("")])
        _ = try await transport(script, showing: ["page"]).send(Self.request("/u?page=2&key=s3cret&s3cret-bare&page=3"))
        #expect(records.all.first?.message == "GET https://h:8443/u?page=2&key=***&***&page=3")
    }

    @Test(arguments: [
        StubAnswer.ok("s3cret-answer", fields: [.setCookie: "id=s3cret-set", .location: "/?t=s3cret-location"]),
        .respond(.unauthorized, fields: [.wwwAuthenticate: "Bearer realm=s3cret-realm"], "s3cret-answer"),
        .failure(TransportError(.connectionFailed, message: "https://h/?key=s3cret-message")),
    ])
    func noSecretIsEverWritten(_ answer: StubAnswer) async throws {
        for method in [HTTPRequest.Method.get, .post] {
            let request = Self.request("/a?key=s3cret-query&s3cret-bare&empty=", method: method)
            do {
                _ = try await transport(StubTransport([answer])).send(request)
            } catch {
                #expect(answer.failure != nil)
            }
        }
        #expect(records.all.count == 2)
        for record in records.all { #expect(!"\(record)".contains("s3cret"), "\(record)") }
    }

    @Test func aRetriedExchangeInsideIsStillOneLine() async throws {
        let retry = RetryMiddleware(clock: clock, wallClock: clock.wall, random: SeededGenerator(seed: 1))
        let script = StubTransport([.failure(.offline), .ok("")])
        let inner = script.wrapped(in: [retry])
        let task = Task { try await transport(inner).send(Self.request("/")) }
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        _ = try await task.value
        #expect(records.all.count == 1)
        #expect(script.requests.count == 2)
    }
}

private final class Records: Sendable {
    struct Record: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private let log = Mutex<[Record]>([])

    var all: [Record] { log.withLock { $0 } }

    func add(_ record: Record) { log.withLock { $0.append(record) } }
}

private struct Recorder: LogHandler {
    let records: Records
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
        records.add(.init(level: event.level, message: "\(event.message)", metadata: metadata))
    }
}
