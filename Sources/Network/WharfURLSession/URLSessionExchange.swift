internal import Foundation
internal import Synchronization
internal import WharfCore
internal import WharfHTTP
internal import WharfPrimitives

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One request in flight: the I/O around an ``ExchangeState``.
final class URLSessionExchange: PieceProducer {
    let task: URLSessionDataTask
    private let request: HTTPRequest
    private let report: SendingReport?
    private let state: Mutex<ExchangeState>
    // A lock of its own, never taken together with `state`.
    private let watchdog = Mutex<Task<Void, Never>?>(nil)

    init(_ task: URLSessionDataTask, request: HTTPRequest, bufferLimit: Int, report: SendingReport? = nil) {
        self.task = task
        self.request = request
        self.report = report
        self.state = Mutex(ExchangeState(method: request.method, bufferLimit: bufferLimit))
    }

    var origin: Origin? { Origin(of: request) }
    var isOpen: Bool { state.withLock { $0.isOpen } }

    func start(_ deadline: Deadline?) {
        if let deadline {
            let watch = Task { [weak self] in
                // The wait is cancelled when the response is complete; then there is no work left.
                do { try await deadline.wait() } catch { return }
                self?.fail(.timedOut(after: deadline.timeout))
            }
            // The watchdog is stored before the task starts, so an end that the session reports
            // finds it.
            watchdog.withLock { $0 = watch }
            // `close` of the transport may have ended the exchange before. It has then found no
            // watchdog.
            if !isOpen { stopWatching() }
        }
        report?.sent(0)
        task.resume()
    }

    // MARK: The reader's side

    func head() async throws(TransportError) -> HTTPResponse {
        guard case .head(let head) = try await event() else {
            throw TransportError(.invalidResponse, message: "the response ended without a head")
        }
        return head
    }

    func next() async throws(TransportError) -> [UInt8]? { try await chunk().map(Array.init) }

    func nextPiece() async throws(TransportError) -> BodyPiece? {
        try await chunk().map { chunk in
            BodyPiece(count: chunk.count) { target in _ = chunk.copyBytes(to: target) }
        }
    }

    private func chunk() async throws(TransportError) -> Data? {
        guard case .chunk(let chunk) = try await event() else { return nil }
        return chunk
    }

    func cancel() { fail(.cancelled) }

    private func event() async throws(TransportError) -> ExchangeState.Event {
        let result = await callbackValue { reply in
            // The reply is made outside the lock. If `cancel` ran first, `wants` returns its error.
            state.withLock { $0.wants(reply) }?.perform()
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Ends the exchange from the reader's side. Unread bytes are dropped.
    private func fail(_ error: TransportError) {
        let (readerWakeup, wasOpen) = state.withLock { $0.fail(error) }
        // The task is cancelled once, by the caller that set the end.
        if wasOpen {
            task.cancel()
            stopWatching()
        }
        readerWakeup?.perform()
    }

    // MARK: The session's side

    /// Ends the exchange because the server's key is not pinned.
    func refuse(_ error: TransportError) { fail(error) }

    /// Ends the exchange because libcurl needs the body again for a new connection, and has none.
    func lostItsKeptConnection() { fail(.keptConnectionClosed(before: request)) }

    /// Reports progress. Events after the end concern an abandoned body, while a retry may send
    /// another one.
    func sent(_ count: Int64) {
        if isOpen { report?.sent(count) }
    }

    func received(_ response: URLResponse) {
        switch HTTPResponse.made(from: response, to: request) {
        case .success(let head):
            // 100 and 103 precede the response; Linux reports them like a response.
            guard head.status.code >= 200 || head.status.code == 101 else { return }
            state.withLock { $0.received(head: head) }?.perform()
        case .failure(let error):
            fail(error)
        }
    }

    /// Takes the head at the end. On Linux a redirect without `Location` can't be followed, and
    /// ends without a report of its response. Its body is lost.
    private func receivedAtEnd(_ response: URLResponse) {
        guard case .success(var head) = HTTPResponse.made(from: response, to: request) else { return }
        head.headerFields[.contentLength] = nil
        state.withLock { $0.received(head: head) }?.perform()
    }

    func received(_ data: Data) {
        let result = state.withLock { $0.received(chunk: data) }
        switch result {
        case .success(let readerWakeup): readerWakeup?.perform()
        case .failure(let error): fail(error)
        }
    }

    func completed(_ error: (any Error)?) {
        // Nothing can time out any more, even while the reader is slow.
        stopWatching()
        // The events of a task come one after the other, so no head can arrive between the locks.
        if error == nil, state.withLock({ !$0.hasHead }), let response = task.response { receivedAtEnd(response) }
        let hasHead = state.withLock { $0.hasHead }
        let failure = error.map { TransportError(urlSession: $0, request: request, hasHead: hasHead) }
        state.withLock { $0.completed(failure) }?.perform()
    }

    private func stopWatching() {
        watchdog.withLock { watch in
            defer { watch = nil }
            return watch
        }?.cancel()
    }
}
