#if canImport(Security)
internal import CryptoKit
internal import Foundation
internal import Security
internal import WharfCore

extension PublicKeyPins {
    /// Checks that the server has a key that is pinned for it. A host without pins passes. The
    /// system verifies the certificate afterwards in any case.
    func check(_ space: URLProtectionSpace) throws(TransportError) {
        guard let entry = entry(for: space.host) else { return }
        guard let trust = space.serverTrust,
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first
        else { throw entry.uncheckable("the server showed no certificate") }
        let certificate = [UInt8](SecCertificateCopyData(leaf) as Data)
        // The pin is a hash of this element, which is the key with its algorithm (RFC 7469 §2.4).
        guard let key = SubjectPublicKeyInfo.find(in: certificate) else {
            throw entry.uncheckable("the server's certificate can't be read")
        }
        try entry.check(Data(SHA256.hash(data: Data(key))).base64EncodedString())
    }
}
#endif
