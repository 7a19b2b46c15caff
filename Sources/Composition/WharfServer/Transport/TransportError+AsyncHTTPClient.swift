#if Server
internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import WharfCore

extension TransportError {
    /// - Parameter hasHead: whether the response had begun.
    init(nio error: any Error, request: HTTPRequest, hasHead: Bool) {
        // An error of the request's body stream or of the key check.
        if let error = error as? TransportError {
            self = error
            return
        }
        self.init(
            Self.code(of: error) ?? (hasHead ? .connectionLost : .connectionFailed),
            message: "\(request.redacted()) failed: \(error)", cause: error)
    }

    private static func code(of error: any Error) -> Code? {
        switch error {
        case is CancellationError: .cancelled
        case is ClosedBeforeAnswer: .connectionLost
        case let error as HTTPClientError: code(of: error)
        case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection: .connectionLost
        case is HTTPParserError: .invalidResponse
        case NIOSSLError.uncleanShutdown: .connectionLost
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .tlsFailed
        case ChannelError.connectTimeout: .timedOut
        case is ChannelError: .connectionLost
        case is SocketAddressError: .hostNotFound
        case let error as NIOConnectionError: code(of: error)
        case let error as IOError: code(of: error)
        default: nil
        }
    }

    private static func code(of error: HTTPClientError) -> Code? {
        switch error {
        case .cancelled, .alreadyShutdown, .requestStreamCancelled: .cancelled
        case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout,
            .httpProxyHandshakeTimeout, .socksHandshakeTimeout, .getConnectionFromPoolTimeout:
            .timedOut
        case .remoteConnectionClosed: .connectionLost
        case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath, .traceRequestWithBody, .bodyLengthMismatch,
            .invalidLocalAddress:
            .invalidRequest
        case .invalidProxyResponse, .proxyAuthenticationRequired: .connectionFailed
        default: code(byNameOf: error)
        }
    }

    /// Returns the code of errors that carry text, which can't be compared.
    private static func code(byNameOf error: HTTPClientError) -> Code? {
        switch error.shortDescription {
        case HTTPClientError.invalidHeaderFieldNames([]).shortDescription: .invalidRequest
        case HTTPClientError.invalidHeaderFieldValues([]).shortDescription: .invalidRequest
        case HTTPClientError.unsupportedScheme("").shortDescription: .invalidRequest
        case HTTPClientError.serverOfferedUnsupportedApplicationProtocol("").shortDescription: .tlsFailed
        default: nil
        }
    }

    private static func code(of error: NIOConnectionError) -> Code? {
        guard let last = error.connectionErrors.last else {
            return error.dnsAError != nil || error.dnsAAAAError != nil ? .hostNotFound : nil
        }
        return code(of: last.error)
    }

    private static func code(of error: IOError) -> Code? {
        switch error.errnoCode {
        case ENETDOWN, ENETUNREACH: .offline
        case ETIMEDOUT: .timedOut
        case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: .connectionLost
        default: nil
        }
    }
}
#endif
