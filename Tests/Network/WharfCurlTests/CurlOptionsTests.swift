#if os(Linux)
import Testing

@testable import WharfCurl

struct CurlOptionsTests {
    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .milliseconds(1), .seconds(30)])
    func connectTimeoutOfAnyLengthIsAccepted(timeout: Duration) throws {
        let options = CurlOptions(
            connectionsPerHost: 1, connectTimeout: timeout, proxy: .direct, version: .negotiated,
            certificates: CurlOptions.Certificates { _ in nil })
        #expect(throws: Never.self) { try options.apply(to: EasyHandle()) }
    }
}
#endif
