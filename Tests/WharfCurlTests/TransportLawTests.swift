#if os(Linux) && TestServer
import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfCurl
import WharfTestServer

struct TransportLawTests {
    @Test(arguments: TransportLaws.all)
    func curlKeeps(law: Law<TransportLaws.Subject>) async throws { try await law.check(.curl) }
}

extension TransportLaws.Subject {
    static let curl = TransportLaws.Subject("CurlTransport") { scene, clock, body in
        try await TestServer.run { server in
            server.route(nil, "/*", TestResponse(scene))
            try await withTransport(.patient(clock: clock)) { transport in
                try await body(TransportLaws.Stage(transport, before: server))
            }
        }
    }
}
#endif
