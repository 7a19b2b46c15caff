import NIOSSL

/// A test key and a self-signed certificate, as receivers have one.
///
/// It is for localhost, valid from 2020 to 2120, and made by `openssl req` and
/// `openssl ca -selfsign`.
enum TestIdentity {
    static func serverContext() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)))
        // Receivers use TLS 1.2.
        configuration.maximumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: configuration)
    }

    private static let keyPEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1GMPx/rwJmfFvfNP
        ZWJe22dmnrfWhOGCK689SUDJy/uhRANCAAQshCgB57Epjrx450UuHb+0cDh4ztvB
        W6Fr79aqGgqblkF9NlZln0RTAgH6LjOIlzivwr4X5OHl4PEF61k0IYC5
        -----END PRIVATE KEY-----
        """

    private static let certificatePEM = """
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
