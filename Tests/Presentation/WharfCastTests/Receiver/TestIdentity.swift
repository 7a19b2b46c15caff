import NIOSSL
import TestCertificates

/// The test certificate as that of a receiver.
enum TestIdentity {
    static func serverContext() throws -> NIOSSLContext {
        let (chain, key) = (TestCertificate.first.chain, TestCertificate.first.key)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(chain.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
        // Receivers use TLS 1.2.
        configuration.maximumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: configuration)
    }
}
