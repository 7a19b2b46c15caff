import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfHTTP

struct HTTPDestinationLawTests {
    @Test(arguments: DestinationLaws.all)
    func theDestinationKeeps(law: Law<DestinationLaws.Subject>) async throws {
        try await law.check(.init("HTTPDestination") { try Service().underLaws() })
    }
}

/// A service that accepts requests, in the condition set by a law.
private final class Service: Sendable {
    private struct State {
        var condition = DestinationLaws.Condition.working
        var taken: [DestinationLaws.Arrival] = []
    }

    private let state = Mutex(State())

    func underLaws() throws -> DestinationLaws.Instance {
        let environment = try APIEnvironment("https://api.example.com/v1", fields: [.authorization: "Bearer tok-5f3a"])
        let client = APIClient(environment: environment, transport: StubTransport { self.answer($0) })
        var receiver = DestinationLaws.Receiver(
            kind: OutboxRequest.kind, payload: { Self.payload("notes/\($0)", #"{"number": \#($0)}"#) },
            arrivals: { self.state.withLock { $0.taken } }, set: { new in self.state.withLock { $0.condition = new } })
        receiver.unreadable = [0xFF]
        receiver.naming = { Self.payload("notes/\($0[0])/links", #"{"to": "\#($0[1])", "text": "see \#($0[2])."}"#) }
        receiver.secrets = ["tok-5f3a"]
        receiver.read = { payload in
            let request = try require(OutboxRequest(Self.entry(payload)), "the payload is no request")
            return Self.bytes(request.method, "/v1/\(request.address)", request.body)
        }
        return .init(HTTPDestination("api", client), at: receiver)
    }

    private func answer(_ request: TransportRequest) -> StubAnswer {
        state.withLock { state in
            switch state.condition {
            case .busy: return .respond(.serviceUnavailable)
            case .refusing: return .respond(.unprocessableContent)
            case .silent: return .failure(.connectionLost).held(by: Gate())
            case .working:
                guard case .bytes(let body) = request.body else { return .respond(.badRequest) }
                let key = request.head.headerFields.first { $0.name.canonicalName == "idempotency-key" }?.value
                let bytes = Self.bytes(request.head.method, request.head.path ?? "", body)
                state.taken.append(.init(key: key, bytes: bytes))
                return .respond(.created)
            }
        }
    }

    private static func bytes(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]) -> [UInt8] {
        Array("\(method.rawValue) \(path)\n".utf8) + body
    }

    private static func payload(_ address: String, _ body: String) -> [UInt8] {
        let request = OutboxRequest(
            .post, address, fields: [.contentType: "application/json"], body: Array(body.utf8))
        let now = WallTime(secondsSince1970: 1_000_000_000)
        return request.entry(.init("1"), of: nil, lane: "notes", to: "api", at: now).payload
    }

    private static func entry(_ payload: [UInt8]) -> OutboxEntry {
        OutboxEntry(
            id: .init("1"), lane: "notes", kind: OutboxRequest.kind, payload: payload, targets: .all("api"),
            enqueuedAt: WallTime(secondsSince1970: 1_000_000_000))
    }
}
