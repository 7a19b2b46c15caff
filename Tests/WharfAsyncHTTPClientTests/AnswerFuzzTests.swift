#if AsyncHTTPClient && TestServer
import Testing
import TransportStages
import WharfAsyncHTTPClient
import WharfCore
import WharfTesting

struct AnswerFuzzTests {
    @Test func asyncHTTPClientGivesNoWrongAnswer() async throws {
        let transport = AsyncHTTPClientTransport(configuration: .patient)
        try await AnswerFuzz.run("AsyncHTTPClientTransport", over: transport)
        await transport.close()
    }

    @Test func aTransportThatTakesCutBodiesIsFound() async throws {
        let transport = AsyncHTTPClientTransport(configuration: .patient)
        let wrong = CutBodiesAreWhole(base: transport)
        let found = await #expect(throws: Counterexample.self) { try await AnswerFuzz.run("cut", over: wrong) }
        #expect(found?.found.contains("a wrong answer was given") == true)
        await transport.close()
    }

    private struct CutBodiesAreWhole: Transport {
        let base: any Transport

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            var response = try await base.send(request)
            response.body = BodyStream(await response.body.beginning(upTo: 1 << 20))
            return response
        }
    }
}
#endif
