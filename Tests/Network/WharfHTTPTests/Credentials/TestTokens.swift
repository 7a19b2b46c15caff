import Synchronization
import WharfCore
import WharfFakes
import WharfHTTP

/// A provider that counts refreshes, and that a test can hold in a refresh.
final class TestTokens: CredentialsProvider {
    struct Expired: Error {}

    struct State {
        var current: Credential?
        var refreshes = 0
        /// The error that `refresh` throws.
        var failure: (any Error)?
        /// The error that `credential` throws.
        var absence: (any Error)?
    }

    let state: Mutex<State>
    let gate: Gate
    private let inside: @Sendable () async throws -> Void

    /// - Parameter inside: runs during a refresh.
    init(
        _ token: String? = "1", gate: Gate = .opened, inside: @escaping @Sendable () async throws -> Void = {}
    ) throws {
        self.state = Mutex(State(current: try token.map { try .bearer($0) }))
        self.gate = gate
        self.inside = inside
    }

    var refreshes: Int { state.withLock { $0.refreshes } }

    func set(failure: (any Error)?) { state.withLock { $0.failure = failure } }
    func set(absence: any Error) { state.withLock { $0.absence = absence } }
    func set(_ token: String) throws {
        let credential = try Credential.bearer(token)
        state.withLock { $0.current = credential }
    }

    func credential() async throws -> Credential? {
        let (current, absence) = state.withLock { ($0.current, $0.absence) }
        if let absence { throw absence }
        return current
    }

    func refresh(_ rejected: Credential) async throws -> Credential {
        let count = state.withLock { state in
            state.refreshes += 1
            return state.refreshes
        }
        await gate.pass()
        if Task.isCancelled { throw CancellationError() }
        try await inside()
        if let failure = state.withLock({ $0.failure }) { throw failure }
        let renewed = try Credential.bearer("\(count + 1)")
        state.withLock { $0.current = renewed }
        return renewed
    }
}

extension Gate {
    static var opened: Gate {
        let gate = Gate()
        gate.open()
        return gate
    }
}

extension StubTransport {
    /// A transport that accepts one token, and answers 401 to any other.
    static func accepting(_ token: String, held gate: Gate = .opened) -> StubTransport {
        StubTransport { request in
            let isAccepted = request.head.headerFields[.authorization] == "Bearer \(token)"
            let answer: StubAnswer = isAccepted ? .ok("yes") : .respond(.unauthorized, "no")
            return answer.held(by: gate)
        }
    }

    var shown: [String?] { requests.map { $0.head.headerFields[.authorization] } }
}

extension TransportRequest {
    static func api(
        _ path: String = "/", at origin: String = "api.example.com", scheme: String = "https",
        _ method: HTTPRequest.Method = .get, body: RequestBody = .none, timeout: Duration? = nil
    ) -> TransportRequest {
        TransportRequest(
            HTTPRequest(method: method, scheme: scheme, authority: origin, path: path), body: body, timeout: timeout)
    }
}
