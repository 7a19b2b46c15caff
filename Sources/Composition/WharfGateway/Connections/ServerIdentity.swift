#if Server
internal import NIOSSL
internal import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The settings of TLS for connections of clients, made from the files of a certificate.
struct ServerIdentity: Sendable {
    let context: NIOSSLContext
    /// The end of the time in which clients accept the certificate.
    let expiresAt: WallTime

    /// Reads the files of a certificate, and names the one that can't be used.
    init(_ certificate: GatewayCertificate) throws(GatewayError) {
        let chain = try Self.certificates(certificate.chain, of: "certificate")
        context = try Self.context(chain, certificate)
        // The chain has at least one certificate. Clients reject it when any of them has expired.
        expiresAt = WallTime(secondsSince1970: Int64(chain.map(\.notValidAfter).min() ?? 0))
    }

    private static func context(
        _ chain: [NIOSSLCertificate], _ certificate: GatewayCertificate
    ) throws(GatewayError) -> NIOSSLContext {
        try checkReadable(certificate.key, of: "private key")
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: certificate.key, format: .pem)
        } catch {
            throw unusable("private key", certificate.key, "it is no PEM private key without a passphrase", error)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        // RFC 8996: older versions must not be used.
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2", "http/1.1"]
        do {
            // It compares the key with the certificate.
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw unusable(
                "private key", certificate.key, "it does not belong to the certificate in \(certificate.chain)", error)
        }
    }

    /// Reads the certificates of a PEM file; it returns at least one.
    ///
    /// - Parameter purpose: the name of the file's content for the message.
    static func certificates(_ path: String, of purpose: String) throws(GatewayError) -> [NIOSSLCertificate] {
        try checkReadable(path, of: purpose)
        do {
            let certificates = try NIOSSLCertificate.fromPEMFile(path)
            if !certificates.isEmpty { return certificates }
        } catch {
            throw unusable(purpose, path, "it has no certificate in PEM form", error)
        }
        throw unusable(purpose, path, "it has no certificate in PEM form", nil)
    }

    private static func checkReadable(_ path: String, of purpose: String) throws(GatewayError) {
        guard access(path, R_OK) != 0 else { return }
        throw GatewayError(
            .invalidCertificate,
            message: "could not read the \(purpose) in \(path): \(String(cString: strerror(errno))); "
                + "give the path of a file that this process may read")
    }

    private static func unusable(
        _ purpose: String, _ path: String, _ reason: String, _ cause: (any Error)?
    ) -> GatewayError {
        GatewayError(
            .invalidCertificate,
            message:
                "could not use the \(purpose) in \(path): \(reason); give the path of a PEM file with the \(purpose)",
            cause: cause)
    }
}
#endif
