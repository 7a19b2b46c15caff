internal import Foundation
internal import WharfCore

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension TransportError {
    /// - Parameter hasHead: whether the response had begun.
    init(urlSession error: any Error, request: HTTPRequest, hasHead: Bool) {
        let code = (error as? URLError)?.code ?? .unknown
        let found = (error as NSError).localizedDescription
        self.init(
            Self.code(for: code, found: found, hasHead: hasHead),
            message: "\(request.redacted()) failed: \(found)", cause: error)
    }

    private static func code(for code: URLError.Code, found: String, hasHead: Bool) -> Code {
        switch code {
        case .cancelled, .userCancelledAuthentication: .cancelled
        case .timedOut: .timedOut
        case .cannotFindHost, .dnsLookupFailed: .hostNotFound
        case .cannotConnectToHost: .connectionFailed
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: .offline
        case .networkConnectionLost: .connectionLost
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            .tlsFailed
        case .badURL: .invalidRequest
        case .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse, .redirectToNonExistentLocation,
            .httpTooManyRedirects, .zeroByteResource:
            .invalidResponse
        #if canImport(Darwin)
        case .badServerResponse: .invalidResponse
        case .unsupportedURL: .invalidRequest
        default: hasHead ? .connectionLost : .connectionFailed
        #else
        // On Linux this code means that the connection was closed before a byte of the head.
        case .badServerResponse: .connectionLost
        // The scheme was checked before, so this is "HTTP/0.9": the response is not HTTP.
        case .unsupportedURL: .invalidResponse
        default: unknownCode(found, hasHead: hasHead)
        #endif
        }
    }

    #if !canImport(Darwin)
    /// Returns the code of an unknown error. Foundation maps most errors of libcurl to "unknown";
    /// only the message tells them apart.
    private static func unknownCode(_ found: String, hasHead: Bool) -> Code {
        // The order matters: a message of OpenSSL about a failed write contains "SSL".
        if saysThatSendingBrokeOff(found) { return .connectionLost }
        let text = found.lowercased()
        if ["ssl", "tls", "certificate"].contains(where: text.contains) { return .tlsFailed }
        let broken = [
            "encoding", "writing header", "http/2", "invalid", "unsupported", "header", "chunk", "out of memory",
        ]
        if broken.contains(where: text.contains) { return .invalidResponse }
        return .connectionLost
    }
    #endif
}
