#if os(Linux)
import Testing
import TransportStages
import WharfCore
import WharfCurl
import WharfChecks

struct AnswerFuzzTests {
    @Test func curlGivesNoWrongAnswer() async throws {
        try await withTransport { transport in try await AnswerFuzz.run("CurlTransport", over: transport) }
    }

    @Test func fuzzFindsATransportThatAcceptsTruncatedBodies() async throws {
        try await withTransport { transport in
            let wrong = CutBodiesAreWhole(base: transport)
            let found = await #expect(throws: Counterexample.self) { try await AnswerFuzz.run("cut", over: wrong) }
            #expect(found?.found.contains("a wrong answer was given") == true)
        }
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
