#if Server
internal import AsyncHTTPClient
internal import NIOCore
internal import Synchronization
internal import WharfCore

/// One request in flight. Each wait is a separate task, so that a timeout, a cancellation or
/// `close()` can end it from outside, together with its connection.
final class Exchange: PieceProducer {
    private struct State {
        // Invariants when the lock is free:
        // - `isComplete` and `failure` exclude each other: the first end counts.
        // - After either end, `body` is nil, so the connection is released.
        // - `stop` is nil while no wait is running.
        /// The error that ended it, unless the body ended normally.
        var failure: TransportError?
        var isComplete = false
        var hasHead = false
        /// The rest of the body. Releasing it closes the connection.
        var body: Pieces?
        /// Ends the current wait.
        var stop: (@Sendable () -> Void)?
        var watchdog: Task<Void, Never>?
    }

    private let request: HTTPRequest
    /// The clients, which shut down after their last owner has released them.
    private let clients: Clients
    private let open: OpenExchanges
    /// nil with a lent client. It may lack the handler that removes the observer's field.
    private let observer: ExchangeObserver?
    private let state = Mutex(State())

    init(_ request: HTTPRequest, of clients: Clients, in open: OpenExchanges) {
        self.request = request
        self.clients = clients
        self.open = open
        observer = clients.areLent ? nil : .open()
    }

    deinit {
        observer?.close()
        // The watchdog holds this object weakly. Its task would otherwise sleep until the deadline.
        state.withLock { $0.watchdog }?.cancel()
        open.remove(self)
    }

    func watch(_ deadline: Deadline?) {
        guard let deadline else { return }
        let watchdog = Task { [weak self] in
            // The wait is cancelled when the response is complete; then there is no work left.
            do { try await deadline.wait() } catch { return }
            _ = self?.fail(.timedOut(after: deadline.timeout))
        }
        state.withLock { $0.watchdog = watchdog }
    }

    func head(
        of sent: TransportRequest, to target: Target, by client: HTTPClient
    ) async throws(TransportError) -> HTTPResponse {
        let observer = observer
        // Ends after `close`, so no call of the closure follows the return of this function.
        async let passedOn: Void? = observer?.passOn(to: sent.onInterim)
        let response: HTTPClientResponse
        do throws(TransportError) {
            response = try await wait { try await client.answer(to: sent, at: target, observedBy: observer) }
            observer?.close()
            _ = await passedOn
        } catch {
            observer?.close()
            _ = await passedOn
            throw error
        }
        let head: HTTPResponse
        do throws(TransportError) {
            if clients.areLent { try response.checkThatNothingWasFollowed() }
            head = try HTTPResponse(response)
        } catch {
            throw fail(error)
        }
        let body = Pieces(response.body, mustBeGzip: clients.areLent && response.isWholeGzip)
        try state.withLock { state throws(TransportError) in
            if let failure = state.failure { throw failure }
            state.hasHead = true
            state.body = body
        }
        return head
    }

    func next() async throws(TransportError) -> [UInt8]? { try await buffer().map { Array($0.readableBytesView) } }

    func nextPiece() async throws(TransportError) -> BodyPiece? {
        try await buffer().map { buffer in
            BodyPiece(count: buffer.readableBytes) { target in
                buffer.withUnsafeReadableBytes { target.copyMemory(from: $0) }
            }
        }
    }

    func cancel() { _ = fail(.cancelled) }

    var trailers: HTTPFields? { observer?.trailers }

    private func buffer() async throws(TransportError) -> ByteBuffer? {
        while true {
            let body = try state.withLock { state throws(TransportError) in
                if let failure = state.failure { throw failure }
                return state.body
            }
            guard let body else { return nil }
            guard let buffer = try await wait({ try await body.next() }) else {
                complete()
                return nil
            }
            if buffer.readableBytes > 0 { return buffer }
        }
    }

    private func wait<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws(TransportError) -> Value {
        let task = Task { try await work() }
        let failure = state.withLock { state in
            // Check and assignment together: a failure before it is seen here, and one after it
            // finds `stop`.
            if state.failure == nil { state.stop = { task.cancel() } }
            return state.failure
        }
        if let failure {
            task.cancel()
            throw failure
        }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            cancel()
        }
        let (ended, hasHead) = state.withLock { state in
            state.stop = nil
            return (state.failure, state.hasHead)
        }
        // A timeout or `close()` during the wait counts, even if the work has just succeeded:
        // `fail` has released the connection.
        if let ended { throw ended }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw fail(TransportError(nio: error, request: request, hasHead: hasHead))
        }
    }

    private func complete() {
        let watchdog = state.withLock { state in
            state.isComplete = true
            state.body = nil
            defer { state.watchdog = nil }
            return state.watchdog
        }
        watchdog?.cancel()
        open.remove(self)
    }

    /// Ends the exchange early.
    ///
    /// - Returns: the error that ended it, which is an earlier one if there was one.
    private func fail(_ error: TransportError) -> TransportError {
        let before = state.withLock { state in
            let before = state
            guard !state.isComplete else { return before }
            // The first reason counts. Stopping the wait makes further errors, such as its
            // cancellation.
            state.failure = state.failure ?? error
            state.body = nil
            state.stop = nil
            state.watchdog = nil
            return before
        }
        guard !before.isComplete else { return error }
        // Outside of the lock: it runs cancellation handlers of the client, which may call back.
        before.stop?()
        before.watchdog?.cancel()
        open.remove(self)
        return before.failure ?? error
    }
}
#endif
