internal import Foundation
internal import WharfCore

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension PublicKeyPins {
    /// - Throws: ``WharfCore/TransportError/Code/pinningFailed`` for a request to a pinned host if
    ///   no key will be visible.
    func checkThatTheyCanBeChecked(for request: URLRequest) throws(TransportError) {
        guard let url = request.url, let entry = entry(for: url.host(percentEncoded: false) ?? "") else { return }
        guard url.scheme?.lowercased() == "https" else { throw entry.uncheckable("http proves no key; use https") }
        #if !canImport(Security)
        throw entry.uncheckable(
            "URLSession shows no certificates on this platform; use AsyncHTTPClientTransport, of WharfServer")
        #endif
    }
}
