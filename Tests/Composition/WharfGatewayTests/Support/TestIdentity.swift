import Foundation
import NIOSSL
import TestCertificates
import WharfCore
import WharfFakes
import WharfGateway

/// The test certificates as files of a gateway, and as settings of its peers.
enum TestIdentity {
    /// Calls `body` with the paths of the certificate and its key, and removes the files after it.
    static func withFiles(
        chain: String = TestCertificate.first.chain, key: String = TestCertificate.first.key,
        _ body: (GatewayCertificate) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wharf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = (folder.appendingPathComponent("chain.pem"), folder.appendingPathComponent("key.pem"))
        try Data(chain.utf8).write(to: files.0)
        try Data(key.utf8).write(to: files.1)
        try await body(GatewayCertificate(chain: files.0.path, key: files.1.path))
    }

    /// The settings of a client that trusts one certificate.
    static func client(
        _ protocols: [String], trusting trusted: TestCertificate = .first,
        _ change: (inout TLSConfiguration) -> Void = { _ in }
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try certificate(trusted)])
        configuration.applicationProtocols = protocols
        change(&configuration)
        return try NIOSSLContext(configuration: configuration)
    }

    /// The settings of a server with the certificate.
    static func server() throws -> NIOSSLContext {
        let key = try NIOSSLPrivateKey(bytes: Array(TestCertificate.first.key.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(try certificate())], privateKey: .privateKey(key)))
    }

    static func certificate(_ certificate: TestCertificate = .first) throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(certificate.chain.utf8), format: .pem)
    }
}

/// Runs a gateway with a certificate during `body`, and shuts it down gracefully.
func withSecureGateway(
    over transport: any Transport, origin: String = "http://origin.test",
    _ configuration: GatewayConfiguration = .patient, clock: any Clock<Duration> = TestClock(),
    _ body: (Gateway) async throws -> Void
) async throws {
    try await TestIdentity.withFiles { certificate in
        var configuration = configuration
        configuration.certificate = certificate
        try await withGateway(over: transport, origin: origin, configuration, clock: clock, body)
    }
}
