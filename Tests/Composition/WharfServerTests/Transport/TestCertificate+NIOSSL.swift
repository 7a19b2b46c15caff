import NIOSSL
import TestCertificates

extension TestCertificate {
    func certificate() throws -> NIOSSLCertificate { try NIOSSLCertificate(bytes: Array(chain.utf8), format: .pem) }

    func privateKey() throws -> NIOSSLPrivateKey { try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem) }
}
