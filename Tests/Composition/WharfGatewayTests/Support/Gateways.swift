import AsyncHTTPClient
import NIOCore
import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfGateway
import WharfServer

/// A transport in place of an origin.
struct ClosureTransport: Transport {
    let answer: @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    init(_ answer: @escaping @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse) {
        self.answer = answer
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await answer(request)
    }
}

/// A transport that records the requests, and answers each with a text.
final class RecordingTransport: Transport {
    private let sent = Mutex<[TransportRequest]>([])
    private let fields: HTTPFields

    init(fields: HTTPFields = [.contentLength: "2"]) { self.fields = fields }

    var requests: [TransportRequest] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request) }
        // A real transport sends the body first.
        if case .stream(let body, _) = request.body { _ = try await body().collect() }
        return .text("ok", fields: fields)
    }
}

extension TransportResponse {
    static func text(
        _ text: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: status, headerFields: fields), body: BodyStream(Array(text.utf8)),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 1_000_000_000)))
    }

    static func stream(_ producer: any BodyStream.Producer, fields: HTTPFields = [:]) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: fields),
            body: BodyStream(producer, expectedLength: fields[.contentLength].flatMap { Int64($0) }),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 1_000_000_000)))
    }
}

/// A body whose pieces a closure makes, by their numbers from 0.
final class Pieces: BodyStream.Producer {
    private let made = Atomic(0)
    private let make: @Sendable (Int) async throws(TransportError) -> [UInt8]?

    init(_ make: @escaping @Sendable (Int) async throws(TransportError) -> [UInt8]?) { self.make = make }

    /// The number of pieces that were asked for.
    var count: Int { made.load(ordering: .sequentiallyConsistent) }

    func next() async throws(TransportError) -> [UInt8]? {
        try await make(made.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue)
    }

    func cancel() {}
}

/// A body of texts, with trailers.
final class TrailedPieces: BodyStream.Producer {
    private let texts: Mutex<ArraySlice<String>>
    let trailers: HTTPFields?

    init(_ texts: [String], _ trailers: HTTPFields) {
        self.texts = Mutex(texts[...])
        self.trailers = trailers
    }

    func next() async throws(TransportError) -> [UInt8]? { texts.withLock { $0.popFirst().map { Array($0.utf8) } } }

    func cancel() {}
}

/// Runs a gateway during `body`, and shuts it down gracefully.
func withGateway(
    over transport: any Transport, origin: String = "http://origin.test",
    _ configuration: GatewayConfiguration = .patient, clock: any Clock<Duration> = TestClock(),
    onExchange: (@Sendable (GatewayExchange) -> Void)? = nil, _ body: (Gateway) async throws -> Void
) async throws {
    var configuration = configuration
    configuration.onExchange = onExchange
    let gateway = try await Gateway(
        origin: origin, transport: transport, configuration: configuration, clock: clock, wallClock: TestClock().wall)
    let running = Task { try await gateway.run() }
    do {
        try await body(gateway)
        gateway.shutDown()
        try await running.value
    } catch {
        // A failed test may leave a request without an end.
        running.cancel()
        try await running.value
        throw error
    }
}

extension GatewayConfiguration {
    /// Without limits of time. Tests with a limit move the clock.
    static var patient: GatewayConfiguration { GatewayConfiguration() }
}

/// Runs `body` with a client of a real origin, and closes it at the end.
func withClient(
    clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock,
    _ body: (AsyncHTTPClientTransport) async throws -> Void
) async throws {
    let transport = AsyncHTTPClientTransport(
        configuration: HTTPClient.Configuration(timeout: .init(connect: .hours(24))), clock: clock, wallClock: wallClock
    )
    do {
        try await body(transport)
        await transport.close()
    } catch {
        await transport.close()
        throw error
    }
}
