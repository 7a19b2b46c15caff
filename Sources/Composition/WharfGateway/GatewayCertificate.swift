/// The files of a certificate for https.
///
/// ```swift
/// var configuration = GatewayConfiguration(address: "0.0.0.0:8443")
/// configuration.certificate = GatewayCertificate(chain: "/etc/tls/chain.pem", key: "/etc/tls/key.pem")
/// configuration.names = ["api.example.com:8443"]
/// ```
///
/// `Gateway` reads the files when it is made, and at each call of its `replaceCertificate(with:)`.
public struct GatewayCertificate: Sendable, Hashable {
    /// The path of a PEM file: the certificate of the gateway, then those that issued it.
    public var chain: String
    /// The path of a PEM file: the private key of the certificate, without a passphrase.
    public var key: String

    /// Creates a certificate from the paths of its files.
    public init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }
}
