internal import Foundation
internal import Synchronization
internal import WharfCore
internal import WharfHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Dispatches the events of a session to its exchanges.
final class URLSessionEvents: NSObject, URLSessionDataDelegate {
    // Invariants: after `isClosed` no exchange is added. An exchange is in the table from before
    // its task starts until the session reports its end. Exchanges are called after the lock is
    // released, because they take locks of their own.
    private struct State {
        var exchanges: [Int: URLSessionExchange] = [:]
        var isClosed = false
        /// The origins to which an idle connection may be open.
        var answered: Set<Origin> = []
    }

    private let state = Mutex(State())
    private let pins: PublicKeyPins

    init(pins: PublicKeyPins) { self.pins = pins }

    /// Returns false after `close()`.
    func add(_ exchange: URLSessionExchange) -> Bool {
        state.withLock { state in
            // One lock for both: either `close` finds the exchange, or the exchange sees the flag.
            guard !state.isClosed else { return false }
            state.exchanges[exchange.task.taskIdentifier] = exchange
            return true
        }
    }

    /// Returns whether an idle connection to the origin may be open.
    func hasAnswer(of origin: Origin?) -> Bool {
        guard let origin else { return false }
        return state.withLock { $0.answered.contains(origin) }
    }

    func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return Array(state.exchanges.values)
        }
        // The table keeps them: the session reports the end of each, and that removes it.
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
    /// Called if a reused connection was closed before any byte of a response, and libcurl needs
    /// the body again for a new one. Foundation has no stream for a body of bytes, but reports
    /// success. Server and client would then wait for each other: a deadlock.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // A stream would end the process: "Fatal error".
        completionHandler(nil)
        // The cancellation of a task needs this queue, so it waits until this callback has
        // returned.
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
            // A complete response may leave an idle connection. The set is never emptied: a wrong
            // yes costs one retry.
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
        // If the exchange is over, its task is being cancelled. Answering the redirect after that
        // would end the process.
        guard exchange(of: task)?.isOpen == true else { return }
        #endif
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        // A challenge for a password is not answered, so the 401 or 407 is returned.
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
            return completionHandler(.rejectProtectionSpace, nil)
        }
        do throws(TransportError) {
            try pins.check(challenge.protectionSpace)
            // The system verifies the certificate.
            completionHandler(.performDefaultHandling, nil)
        } catch {
            // The exchange ends first. Cancelling the challenge makes the session report
            // `cancelled`, and the first end counts.
            exchange(of: task)?.refuse(error)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
        #else
        // On Linux the challenge comes after the whole response. Default handling would wait for
        // ever, and a rejection cancels the task. So the exchange is completed first.
        exchange(of: task)?.completed(nil)
        completionHandler(.rejectProtectionSpace, nil)
        #endif
    }
}
