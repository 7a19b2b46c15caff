import LiveTransport
import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfFaults
import WharfHTTP
import WharfTestServer

/// A carrier of a plan, with a real client on one side and a real origin on the other.
struct FaultCarrier: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let play:
        @Sendable (
            TestServer, FaultPlan, UInt64, any Clock<Duration>, @escaping FaultReportHandler,
            @Sendable (Client) async throws -> Void
        ) async throws -> Void

    static let all = [transport, proxy]

    static let transport = FaultCarrier(testDescription: "FaultyTransport") { server, plan, seed, clock, report, body in
        let transport = FaultyTransport(
            liveTransport(clock: clock), plan, seed: seed, clock: clock, onReport: report)
        try await body(Client(transport: transport, authority: server.authority))
    }

    static let proxy = FaultCarrier(testDescription: "FaultProxy") { server, plan, seed, clock, report, body in
        try await FaultProxy.run(to: server.authority, plan, seed: seed, onReport: report) { proxy in
            try await body(Client(transport: liveTransport(clock: clock), authority: proxy.authority))
        }
    }

    /// Runs `body` with an origin, the plan, and a client. Each exchange has its own connection.
    ///
    /// - Parameter clock: measures the client's timeouts, and the pauses of a transport.
    func run(
        _ plan: FaultPlan, seed: UInt64 = 42, clock: any Clock<Duration> = ContinuousClock(),
        onReport: @escaping FaultReportHandler = { _ in },
        _ body: @escaping @Sendable (TestServer, Client) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            server.route(nil, "/*") { request in
                TestResponse(body: request.body.isEmpty ? Array("hello world".utf8) : request.body).closing()
            }
            try await play(server, plan, seed, clock, onReport) { client in try await body(server, client) }
        }
    }

    struct Client: Sendable {
        let transport: any Transport
        let authority: String

        func answer(
            _ method: HTTPRequest.Method? = nil, to path: String = "/", sending body: [UInt8]? = nil,
            timeout: Duration? = nil
        ) async -> Answer {
            let head = HTTPRequest(
                method: method ?? (body == nil ? .get : .post), scheme: "http", authority: authority, path: path)
            let request = TransportRequest(head, body: body.map { .bytes($0) } ?? .none, timeout: timeout)
            do throws(TransportError) {
                let response = try await transport.send(request)
                return .came(response.head.status.code, try await response.body.collect())
            } catch {
                return .failed(error.code)
            }
        }
    }

    enum Answer: Equatable, Sendable {
        case came(Int, [UInt8])
        case failed(TransportError.Code)

        static let hello = Answer.came(200, Array("hello world".utf8))

        var text: String {
            switch self {
            case .came(let status, let body): "\(status) \(String(decoding: body, as: UTF8.self))"
            case .failed(let code): "\(code)"
            }
        }
    }
}

/// Reports, in the order of their arrival.
final class Reports: Sendable {
    private let all = Mutex<[FaultReport]>([])
    private let began = Gate()
    private let ended = Gate()

    init() {
        began.open()
        ended.open()
    }

    func add(_ report: FaultReport) {
        all.withLock { $0.append(report) }
        if report.code == .began { Task { await began.pass() } }
        if report.code == .ended { Task { await ended.pass() } }
    }

    subscript(_ code: FaultReport.Code) -> [FaultReport] { all.withLock { $0 }.filter { $0.code == code } }

    /// The faults in force for each exchange. The element is empty if there were none.
    func faults(of count: Int) -> [[Fault]] {
        (1...count).map { number in self[.began].first { $0.exchange == number }?.faults ?? [] }
    }

    /// Returns once that many exchanges have begun.
    func beginnings(_ count: Int) async { await began.arrivals(count) }

    /// Returns once that many exchanges are over.
    func endings(_ count: Int) async { await ended.arrivals(count) }
}
