import Foundation
import NIOSSL
import WharfCore
import WharfFakes
import WharfGateway

/// A test key and a self-signed certificate.
///
/// It is for localhost, api.localhost and 127.0.0.1, valid from 2020 to 2120, and made by
/// `openssl req` and `openssl ca -selfsign`.
enum TestIdentity {
    /// Calls `body` with the paths of the certificate and its key, and removes the files after it.
    static func withFiles(
        chain: String = certificatePEM, key: String = keyPEM,
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

    /// The settings of a client that trusts the certificate.
    static func client(
        _ protocols: [String], _ change: (inout TLSConfiguration) -> Void = { _ in }
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try certificate()])
        configuration.applicationProtocols = protocols
        change(&configuration)
        return try NIOSSLContext(configuration: configuration)
    }

    /// The settings of a server with the certificate.
    static func server() throws -> NIOSSLContext {
        let key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(try certificate())], privateKey: .privateKey(key)))
    }

    static func certificate() throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem)
    }

    /// The key of no certificate.
    static let foreignKeyPEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCuWS3G1gSYLuPe7L
        uKOPYmIIt/aBWtq5nWKrOWVyPSKhRANCAASVml3bqYptAwvv6VLaWsILQoeikZmw
        VJBELWO4CSZvOFg91Z8mRuRbwrzJHJZqa9/3MwU/HObABnfhGCkolpZ1
        -----END PRIVATE KEY-----
        """

    static let keyPEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1GMPx/rwJmfFvfNP
        ZWJe22dmnrfWhOGCK689SUDJy/uhRANCAAQshCgB57Epjrx450UuHb+0cDh4ztvB
        W6Fr79aqGgqblkF9NlZln0RTAgH6LjOIlzivwr4X5OHl4PEF61k0IYC5
        -----END PRIVATE KEY-----
        """

    static let certificatePEM = """
        -----BEGIN CERTIFICATE-----
        MIIBiTCCAS+gAwIBAgIUHMidUcjd6DgO/2JtCPVqFzG3C00wCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
        MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAQshCgB57Epjrx450UuHb+0cDh4ztvBW6Fr79aqGgqblkF9NlZln0RT
        AgH6LjOIlzivwr4X5OHl4PEF61k0IYC5o10wWzAPBgNVHRMBAf8EBTADAQH/MCkG
        A1UdEQQiMCCCCWxvY2FsaG9zdIINYXBpLmxvY2FsaG9zdIcEfwAAATAdBgNVHQ4E
        FgQUCnlguGdT0JppeRg3F7kjuk29ZCIwCgYIKoZIzj0EAwIDSAAwRQIhAIlnzuwK
        IuHnS/3XnFvNQqsz1IcdEBhCrof/Pxkvfa+mAiAZU0xb4+e8uHS7ykFCZIB3WV/G
        v1BWhDYrlTnDHGr/PQ==
        -----END CERTIFICATE-----
        """
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
