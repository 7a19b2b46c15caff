internal import Foundation
internal import Synchronization
internal import WharfCore
internal import WharfHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Hands the events of a session to the exchanges they belong to.
final class URLSessionEvents: NSObject, URLSessionDataDelegate {
    private struct State {
        var exchanges: [Int: URLSessionExchange] = [:]
        var isClosed = false
        /// Those of which a connection may be kept.
        var answered: Set<Origin> = []
    }

    private let state = Mutex(State())
    private let pins: PublicKeyPins

    init(pins: PublicKeyPins) { self.pins = pins }

    /// False when nothing is let through any more.
    func add(_ exchange: URLSessionExchange) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.exchanges[exchange.task.taskIdentifier] = exchange
            return true
        }
    }

    /// Whether a connection to it may be kept.
    func hasAnswer(of origin: Origin?) -> Bool {
        guard let origin else { return false }
        return state.withLock { $0.answered.contains(origin) }
    }

    func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return Array(state.exchanges.values)
        }
        for exchange in open { exchange.cancel() }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent(totalBytesSent)
    }

    #if !canImport(Darwin)
    /// A kept connection was closed before anything of an answer came, and libcurl asks for the
    /// body once more, for a new one. Foundation has nothing to give where a body is no stream, and
    /// says that it has, so server and client would wait for each other for ever.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // A stream would end the process: "Fatal error".
        completionHandler(nil)
        // Not from here, since a task is cancelled on this very queue.
        session.delegateQueue.addOperation { self.exchange(of: task)?.lostItsKeptConnection() }
    }
    #endif

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = state.withLock { state in
            let exchange = state.exchanges.removeValue(forKey: task.taskIdentifier)
            if error == nil, let origin = exchange?.origin { state.answered.insert(origin) }
            return exchange
        }
        exchange?.completed(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if !canImport(Darwin)
        // Where it is over its task is being cancelled, and to hear of the redirect after that ends
        // the process.
        guard exchange(of: task)?.isOpen == true else { return }
        #endif
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        // A challenge for a password stays an answer (401, 407).
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
            return completionHandler(.rejectProtectionSpace, nil)
        }
        do throws(TransportError) {
            try pins.check(challenge.protectionSpace)
            // The system judges the certificate.
            completionHandler(.performDefaultHandling, nil)
        } catch {
            exchange(of: task)?.refuse(error)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
        #else
        // Here it comes when the whole answer is there. Default handling would wait for ever, and a
        // refusal cancels the task, so the exchange is over before that is said.
        exchange(of: task)?.completed(nil)
        completionHandler(.rejectProtectionSpace, nil)
        #endif
    }
}
