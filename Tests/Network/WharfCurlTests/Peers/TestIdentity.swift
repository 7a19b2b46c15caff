#if os(Linux) && TestServer
import Foundation
import TestCertificates
import WharfChecks
import WharfCore
import WharfCurl

/// The files of the test certificate and its key.
struct TestIdentity {
    /// The path of the certificate's file.
    let certificate: String
    let key: String

    static func run<Result>(_ body: (TestIdentity) async throws -> Result) async throws -> Result {
        try await TemporaryFolder.run { folder in
            let identity = TestIdentity(certificate: "\(folder.path)/certificate.pem", key: "\(folder.path)/key.pem")
            try Data(TestCertificate.first.chain.utf8).write(to: URL(filePath: identity.certificate))
            try Data(TestCertificate.first.key.utf8).write(to: URL(filePath: identity.key))
            return try await body(identity)
        }
    }
}

extension CurlTransport {
    /// A transport that trusts only one certificate, through `SSL_CERT_FILE`.
    static func trusting(
        _ identity: TestIdentity, proxy: Proxy = .direct, pins: PublicKeyPins = .none
    ) -> CurlTransport {
        CurlTransport(environment: ["SSL_CERT_FILE": identity.certificate], proxy: proxy, pins: pins)
    }
}
#endif
