internal import Foundation
internal import Synchronization
internal import WharfCore
internal import WharfHTTP
internal import WharfPrimitives

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One request under way: the I/O around an ``ExchangeState``.
final class URLSessionExchange: PieceProducer {
    let task: URLSessionDataTask
    private let request: HTTPRequest
    private let report: SendingReport?
    private let state: Mutex<ExchangeState>
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
                // Cancelled when the answer is complete, and then there is nothing to do.
                do { try await deadline.wait() } catch { return }
                self?.fail(.timedOut(after: deadline.timeout))
            }
            watchdog.withLock { $0 = watch }
        }
        report?.sent(0)
        task.resume()
    }

    // MARK: The reader's side

    func head() async throws(TransportError) -> HTTPResponse {
        guard case .head(let head) = try await event() else {
            throw TransportError(.invalidResponse, message: "expected a head, but the answer ended without one")
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
            state.withLock { $0.wants(reply) }?.perform()
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Ends the exchange from this side. Nothing that came and was not read is given after it.
    private func fail(_ error: TransportError) {
        let (wakening, wasOpen) = state.withLock { $0.fail(error) }
        if wasOpen {
            task.cancel()
            stopWatching()
        }
        wakening?.perform()
    }

    // MARK: The session's side

    /// The server is not to be trusted.
    func refuse(_ error: TransportError) { fail(error) }

    /// libcurl goes on over a new connection, but has no body for it.
    func lostItsKeptConnection() { fail(.keptConnectionClosed(before: request)) }

    /// What is told after the end is of a body that nobody takes, while another one may be on its
    /// way.
    func sent(_ count: Int64) {
        if isOpen { report?.sent(count) }
    }

    func received(_ response: URLResponse) {
        switch HTTPResponse.made(from: response, to: request) {
        case .success(let head):
            // 100 and 103 come before the answer; on Linux they are reported like one.
            guard head.status.code >= 200 || head.status.code == 101 else { return }
            state.withLock { $0.received(head: head) }?.perform()
        case .failure(let error):
            fail(error)
        }
    }

    /// On Linux a redirect without `Location`, which can't be followed, ends without having been
    /// reported as an answer. Its body is lost.
    private func receivedAtEnd(_ response: URLResponse) {
        guard case .success(var head) = HTTPResponse.made(from: response, to: request) else { return }
        head.headerFields[.contentLength] = nil
        state.withLock { $0.received(head: head) }?.perform()
    }

    func received(_ data: Data) {
        let result = state.withLock { $0.received(chunk: data) }
        switch result {
        case .success(let wakening): wakening?.perform()
        case .failure(let error): fail(error)
        }
    }

    func completed(_ error: (any Error)?) {
        stopWatching()
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
