#if os(Linux)
import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfCurl

struct TransportLawTests {
    @Test(arguments: TransportLaws.live())
    func curlKeeps(law: Law<TransportLaws.Subject>) async throws { try await law.check(.curl) }
}

extension TransportLaws.Subject {
    static let curl = overSockets("CurlTransport") { clock, body in
        try await withTransport(.patient(clock: clock)) { transport in try await body(transport) }
    }
}
#endif
