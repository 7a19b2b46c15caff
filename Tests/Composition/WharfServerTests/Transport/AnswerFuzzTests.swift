import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfServer
import WharfTestServer

struct AnswerFuzzTests {
    @Test func asyncHTTPClientGivesNoWrongAnswer() async throws {
        let transport = AsyncHTTPClientTransport(configuration: .patient)
        try await AnswerFuzz.run("AsyncHTTPClientTransport", over: transport)
        await transport.close()
    }
}
