import Foundation
import Synchronization
public import Tracker
public import Wharf
import WharfTestServer

/// An issue tracker on 127.0.0.1 that can be stopped, and restarted on its port with its data.
public final class TrackerService: Sendable {
    private struct State {
        var sessions = Sessions()
        var issues = IssueTable()
        var events: [String] = []
        var isConnected = true
    }

    private let server: Mutex<TestServer>
    private let state = Mutex(State())
    private let clock: any WallClock

    public init(clock: any WallClock = SystemWallClock()) async throws {
        self.clock = clock
        server = Mutex(try await TestServer.start(clock: clock))
        serve()
    }

    public func stop() async { await server.withLock { $0 }.stop() }

    public func restart() async throws {
        let next = try await TestServer.start(port: server.withLock { $0.port }, clock: clock)
        server.withLock { $0 = next }
        serve()
    }

    /// While `false`, every connection is dropped; the port stays with the server.
    public func setConnected(_ isConnected: Bool) { state.withLock { $0.isConnected = isConnected } }
    public func expireAccessTokens() { state.withLock { $0.sessions.access = [] } }

    public var baseURL: String { server.withLock { $0.baseURL } }
    public var issues: [Issue] { state.withLock { $0.issues.rows.values.map(\.issue) } }
    public var events: [String] { state.withLock { $0.events } }
    public var renewals: Int { state.withLock { $0.sessions.renewals } }

    private func serve() {
        let server = server.withLock { $0 }
        server.route(.post, "/session") { request in self.answer { $0.sessions.open(request) } }
        server.route(.post, "/events") { request in
            self.answer { state in
                guard state.sessions.admits(request) else { return .status(401) }
                state.events += request.decoded(as: [String: [Event]].self)?["events"]?.map(\.name) ?? []
                return .status(204)
            }
        }
        server.route(.get, "/issues") { request in self.answer(to: request) { $0.list(request) } }
        server.route(.post, "/issues") { request in self.answer(to: request) { $0.add(request) } }
        server.route(.get, "/issues/:id") { request in self.answer(to: request) { $0.get(request) } }
        server.route(.put, "/issues/:id") { request in self.answer(to: request) { $0.change(request) } }
        server.route(.delete, "/issues/:id") { request in self.answer(to: request) { $0.change(request) } }
    }

    private func answer(_ use: (inout State) -> TestResponse) -> TestResponse {
        state.withLock { $0.isConnected ? use(&$0) : .dropped }
    }

    private func answer(to request: TestRequest, _ use: (inout IssueTable) -> TestResponse) -> TestResponse {
        answer { $0.sessions.admits(request) ? use(&$0.issues) : .status(401) }
    }
}

private struct Event: Decodable { let name: String }

extension TestRequest {
    func decoded<Value: Decodable>(as type: Value.Type) -> Value? { try? JSONDecoder().decode(type, from: Data(body)) }
}

extension TestResponse {
    static func encoding(_ value: some Encodable) -> TestResponse {
        (try? JSONEncoder().encode(value)).map { .json(String(decoding: $0, as: UTF8.self)) } ?? .status(500)
    }
}
