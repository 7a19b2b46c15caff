#if Server
internal import AsyncHTTPClient
internal import Crypto
internal import Foundation
internal import NIOCore
internal import NIOSSL
internal import WharfCore

extension HTTPClient.Configuration {
    /// Returns the same configuration, with connections only to a server with a pinned key.
    func checking(_ entry: PublicKeyPins.Entry) -> HTTPClient.Configuration {
        var configuration = self
        configuration.http1_1ConnectionDebugInitializer = Self.both(entry.check, http1_1ConnectionDebugInitializer)
        configuration.http2ConnectionDebugInitializer = Self.both(entry.check, http2ConnectionDebugInitializer)
        return configuration
    }
}

extension PublicKeyPins.Entry {
    /// Checks the key after the handshake and before the first request. The client waits for the
    /// result, and discards a connection that fails the check.
    @Sendable fileprivate func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        // The client sends its request only when this future has succeeded.
        let checked = channel.eventLoop.makePromise(of: Void.self)
        key(of: channel).whenComplete { result in
            do throws(TransportError) {
                try check(result)
                checked.succeed()
            } catch {
                // The client would leave the connection open.
                channel.close(mode: .all).whenComplete { [error] _ in checked.fail(error) }
            }
        }
        return checked.futureResult
    }

    private func check(_ pin: Result<String?, any Error>) throws(TransportError) {
        switch pin {
        case .success(let pin?): try check(pin)
        case .success(nil): throw uncheckable("the server showed no certificate")
        case .failure(let error):
            throw uncheckable(
                "the connection shows no certificate (\(error)); give the transport an event loop group whose TLS is "
                    + "NIOSSL's, such as MultiThreadedEventLoopGroup.singleton")
        }
    }

    private func key(of channel: any Channel) -> EventLoopFuture<String?> {
        channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
            try certificate.map { certificate in
                let key = try certificate.extractPublicKey().toSPKIBytes()
                return Data(SHA256.hash(data: key)).base64EncodedString()
            }
        }
    }
}
#endif
