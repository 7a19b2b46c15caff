import Synchronization
import Testing
import WharfContentCoding
import WharfCore
import WharfFakes
import WharfJSON
import WharfTestServer

/// A vendor's service over real sockets. It checks each request against the vendor's documentation.
final class VendorService: Sendable {
    struct State {
        var violations: [String] = []
        /// The events of each accepted request.
        var taken: [[JSONValue]] = []
        /// The content coding of each request's body.
        var codings: [String?] = []
        var refusals: [TestResponse] = []
    }

    private let state = Mutex(State())
    private let check: @Sendable (TestRequest, [UInt8]) -> [String]
    /// Larger bodies are answered with this status, as the vendor does.
    private let limit: Int
    private let tooLarge: HTTPResponse.Status

    init(
        limit: Int = .max, tooLarge: HTTPResponse.Status = .contentTooLarge,
        check: @escaping @Sendable (TestRequest, [UInt8]) -> [String]
    ) {
        self.limit = limit
        self.tooLarge = tooLarge
        self.check = check
    }

    var violations: [String] { state.withLock { $0.violations } }
    var batches: [[JSONValue]] { state.withLock { $0.taken } }
    var events: [JSONValue] { batches.flatMap(\.self) }
    var codings: [String?] { state.withLock { $0.codings } }

    /// Answers the next requests with these responses, regardless of their content.
    func refuse(_ responses: TestResponse...) { state.withLock { $0.refusals += responses } }

    func serve(on server: TestServer) {
        server.route(nil, "*") { [self] request in await answer(request) }
    }

    private func answer(_ request: TestRequest) async -> TestResponse {
        let body: [UInt8]
        do {
            body = try await Self.decoded(request)
        } catch {
            state.withLock { $0.violations.append("the body can't be decoded: \(error)") }
            return .status(.badRequest)
        }
        let found = check(request, body)
        return state.withLock { state in
            state.violations += found
            state.codings.append(request.fields[.contentEncoding])
            if !state.refusals.isEmpty { return state.refusals.removeFirst() }
            if body.count > limit { return .status(tooLarge) }
            let batch = try? JSON.decode(JSONValue.self, from: body)["batch"]?.elements
            state.taken.append(batch ?? [])
            return .json(#"{"success":true}"#)
        }
    }

    private static let any = TransportRequest(
        HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/"))

    private static func decoded(_ request: TestRequest) async throws -> [UInt8] {
        guard let coding = request.fields[.contentEncoding] else { return request.body }
        let transport = ContentDecodingTransport(EncodedBody(coding: coding, bytes: request.body))
        return try await transport.send(Self.any).body.collect(
            upTo: 1 << 26)
    }
}

/// The body of a request as that of a response, which Wharf can decode.
private struct EncodedBody: Transport {
    let coding: String
    let bytes: [UInt8]

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentEncoding: coding]), body: BodyStream(bytes),
            provenance: Provenance(source: .network, asOf: WallTime(nanoseconds: 0)))
    }
}
