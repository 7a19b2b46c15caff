import Synchronization
import WharfCore
import WharfFakes
import WharfHTTP

struct User: Codable, Sendable, Equatable, Identifiable {
    var id: Int
    var name: String

    static let ann = User(id: 1, name: "Ann")
    static let bob = User(id: 2, name: "Bob")
}

extension StubAnswer {
    static let ann = StubAnswer.ok(#"{"id": 1, "name": "Ann"}"#)
    static let bob = StubAnswer.ok(#"{"id": 2, "name": "Bob"}"#)
}

extension APIClient {
    static func testing(
        _ transport: any Transport, _ middleware: [any Middleware] = [], policy: ReadPolicy = .standard
    ) throws -> APIClient {
        APIClient(
            environment: try APIEnvironment("https://api.example.com"), transport: transport, middleware: middleware,
            policy: policy
        )
    }
}

/// Sets provenance as a cache does, around a transport that has none.
struct Marked: Transport {
    let base: any Transport
    let mark: @Sendable (TransportRequest, inout Provenance) -> Void

    init(_ base: any Transport, _ mark: @escaping @Sendable (TransportRequest, inout Provenance) -> Void) {
        self.base = base
        self.mark = mark
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var response = try await base.send(request)
        mark(request, &response.provenance)
        return response
    }
}

/// A body with any number of chunks. It counts the chunks taken, and records its release.
final class EndlessBody: BodyStream.Producer {
    struct Record {
        var pulled = 0
        var isLetGo = false
    }

    let record = Mutex(Record())
    private let chunk: [UInt8]

    init(chunk: [UInt8]) { self.chunk = chunk }

    var pulled: Int { record.withLock { $0.pulled } }
    var isLetGo: Bool { record.withLock { $0.isLetGo } }

    func next() async throws(TransportError) -> [UInt8]? {
        record.withLock { $0.pulled += 1 }
        return chunk
    }

    func cancel() { record.withLock { $0.isLetGo = true } }
}

/// Answers with one body, by reference, so that a test can follow it.
struct BodyTransport: Transport {
    let status: HTTPResponse.Status
    let body: @Sendable () -> BodyStream

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: status), body: body(),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0))
        )
    }
}
