#if Server && TestServer
import Testing
import TransportStages
import WharfServer
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfTestServer

struct AnswerFuzzTests {
    @Test func asyncHTTPClientGivesNoWrongAnswer() async throws {
        let transport = AsyncHTTPClientTransport(configuration: .patient)
        try await AnswerFuzz.run("AsyncHTTPClientTransport", over: transport)
        await transport.close()
    }
}
#endif
