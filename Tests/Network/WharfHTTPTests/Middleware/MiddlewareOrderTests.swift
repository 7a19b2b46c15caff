import Testing
import WharfCore
import WharfFakes
import WharfHTTP

@Suite struct MiddlewareOrderTests {
    private struct Tag: Middleware {
        let name: String

        func send(
            _ request: TransportRequest, next: any Transport
        ) async throws(TransportError) -> TransportResponse {
            var request = request
            request.head.headerFields.append(HTTPField(name: .via, value: name))
            var response = try await next.send(request)
            response.head.headerFields.append(HTTPField(name: .via, value: name))
            return response
        }
    }

    @Test func firstMiddlewareSeesTheRequestFirstAndTheAnswerLast() async throws {
        let script = StubTransport([.ann])
        let client = try APIClient.testing(script, [Tag(name: "outer"), Tag(name: "inner")])
        let kept = try await client.fetch(Request<User>.get("users/1"))
        #expect(script.requests.first?.head.headerFields[values: .via] == ["outer", "inner"])
        #expect(kept.response?.headerFields[values: .via] == ["inner", "outer"])
    }
}
