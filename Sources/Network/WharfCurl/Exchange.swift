#if os(Linux)
internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// One request and its response. It connects the event thread, which moves bytes, with the tasks
/// that send and read them.
final class Exchange: BodyStream.Producer {
    // Invariants: after the end, `watchdog` and `resumeRead` are nil or cancelled. The end of
    // `answer` and the end of `upload` are set in one step. Readers, the pump's reply and
    // `loop.tell` are called after the lock is released.
    private struct State {
        var answer = AnswerState()
        var upload = UploadState()
        /// Whether it has started, and no longer waits in the queue of its host.
        var isStarted = false
        var watchdog: Task<Void, Never>?
        var uploadTask: Task<Void, Never>?
    }

    let request: TransportRequest
    let target: Target
    let pins: PublicKeyPins.Entry?
    /// Whether it needs a connection that no earlier request used.
    let isOnFreshConnection: Bool
    private let loop: EventLoop
    private let state = Mutex(State())

    init(
        _ request: TransportRequest, to target: Target, pins: PublicKeyPins.Entry?, isOnFreshConnection: Bool,
        on loop: EventLoop
    ) {
        self.request = request
        self.target = target
        self.pins = pins
        self.isOnFreshConnection = isOnFreshConnection
        self.loop = loop
    }

    // The watchdog holds this exchange weakly, and its timer would run on until the deadline.
    deinit { state.withLock { $0.watchdog }?.cancel() }

    // MARK: Tasks

    func start(_ deadline: Deadline?) throws(TransportError) {
        // The command precedes the tasks. Their `.remove` or `.send` must find the exchange in the
        // loop.
        try loop.post(.start(self))
        watch(deadline)
        sendBody()
    }

    /// Returns the final head, after the interim heads before it were passed on.
    func head() async throws(TransportError) -> HTTPResponse {
        while true {
            let head = try await nextHead()
            guard head.isInterim else { return head }
            // In the caller's task: on the event thread a slow closure would hold up other
            // exchanges, and a call could follow the return of `send`.
            await request.onInterim?(head)
        }
    }

    private func nextHead() async throws(TransportError) -> HTTPResponse {
        let result: Result<HTTPResponse, TransportError> = await callbackValue { reply in
            // If `cancel` ran first, the end is set and the reply comes from here. Otherwise
            // `cancel` finds the registered reader.
            if let result = state.withLock({ $0.answer.waitForHead(reply) }) { reply(result) }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func next() async throws(TransportError) -> [UInt8]? {
        // Bytes that have arrived are read without a continuation.
        if let result = reading(state.withLock { $0.answer.read() }) { return try result.get() }
        let result: Result<[UInt8]?, TransportError> = await callbackValue { reply in
            let answer = state.withLock { $0.answer.waitForPiece(reply) }
            if let result = reading(answer) { reply(result) }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func cancel() { fail(.cancelled) }

    var trailers: HTTPFields? { state.withLock { $0.answer.trailers } }

    private func reading(_ reading: AnswerState.Reading) -> Result<[UInt8]?, TransportError>? {
        switch reading {
        case .piece(let piece, let resumes):
            // The buffer is empty by now, so the resumed transfer has room for the kept piece.
            if resumes { loop.tell(.receive(self)) }
            return .success(piece)
        case .end(let end): return end.map { nil }
        case .nothingYet: return nil
        }
    }

    private func watch(_ deadline: Deadline?) {
        guard let deadline else { return }
        let watchdog = Task { [weak self] in
            // The wait is cancelled when the exchange is over; then there is no work left.
            do { try await deadline.wait() } catch { return }
            self?.timeOut(after: deadline.timeout)
        }
        // The exchange may have ended before the watchdog was stored. `finish` has then seen nil
        // and cancelled nothing.
        let isLate = state.withLock { state in
            state.watchdog = watchdog
            return state.answer.end != nil
        }
        if isLate { watchdog.cancel() }
    }

    private func timeOut(after timeout: Duration) {
        // The flag is read first: the error names the queue as the cause only if the request never
        // left it.
        guard state.withLock({ $0.isStarted }) else {
            return fail(
                TransportError(
                    .timedOut,
                    message:
                        "\(request.head.redacted()) was not sent within \(timeout): all connections to the host were "
                        + "in use; read the open responses to their end or cancel them, or raise connectionsPerHost"))
        }
        fail(.timedOut(after: timeout))
    }

    // MARK: The body that is sent

    private func sendBody() {
        switch request.body {
        case .none: return
        // The whole body is one piece, so no task is needed.
        case .bytes(let bytes): bring(bytes, isLast: true)
        case .stream(let make, let length):
            let uploadTask = Task { [self] in
                do throws(TransportError) {
                    try await send(make(), length)
                } catch {
                    // The request can't be completed. `fail` also removes its transfer from the
                    // loop.
                    fail(error)
                }
            }
            // As with the watchdog: `finish` may have run before the pump was stored.
            let isLate = state.withLock { state in
                state.uploadTask = uploadTask
                return state.answer.end != nil
            }
            if isLate { uploadTask.cancel() }
        }
    }

    private func send(_ body: BodyStream, _ length: Int64?) async throws(TransportError) {
        var sent: Int64 = 0
        var chunks = body.makeAsyncIterator()
        while let chunk = try await chunks.next(isolation: nil) {
            sent += Int64(chunk.count)
            // Bytes beyond the announced length must not reach the server: it would read them as
            // the next request.
            if let length, sent > length { throw .wrongLength(of: request.head, length, "\(sent) or more") }
            // An empty chunk would resume libcurl, which would find no byte and pause again.
            guard !chunk.isEmpty else { continue }
            bring(chunk, isLast: false)
            // One piece at a time: the stream is read at the network's pace.
            guard await isTaken() else { return }
        }
        // With fewer bytes than announced, the server would wait for the rest until the timeout.
        if let length, sent < length { throw .wrongLength(of: request.head, length, "\(sent)") }
        bring([], isLast: true)
    }

    private func bring(_ piece: [UInt8], isLast: Bool) {
        // The lock is free here; the loop's lock is taken by `tell`.
        if state.withLock({ $0.upload.bring(piece, isLast: isLast) }) { loop.tell(.send(self)) }
    }

    /// Returns false if no more bytes are wanted.
    private func isTaken() async -> Bool {
        await callbackValue { reply in
            if let continues = state.withLock({ $0.upload.wait(reply) }) { reply(continues) }
        }
    }
}

// MARK: - The event thread

extension Exchange {
    /// Returns false if it ended while it waited in the queue.
    func begin() -> Bool {
        state.withLock { state in
            // One lock for both: if the end came first, no transfer starts; if it comes later, its
            // `remove` follows in the mailbox.
            state.isStarted = true
            return state.answer.end == nil
        }
    }

    func receive(_ head: HTTPResponse) {
        let reader = state.withLock { $0.answer.receive(head) }
        // Called outside the lock, like each reader: its task may take this lock in `next` at once.
        reader?(.success(head))
    }

    func receive(_ piece: UnsafeRawBufferPointer) -> AnswerState.Reception {
        let reception = state.withLock { $0.answer.receive(piece) }
        // libcurl reuses its buffer after this callback returns, so the reader gets a copy.
        if case .taken(let reader?) = reception { reader(.success(Array(piece))) }
        return reception
    }

    func give(_ target: UnsafeMutableRawBufferPointer) -> UploadState.ReadReply {
        let reply = state.withLock { $0.upload.give(target) }
        // The callback has copied the piece already, so the stream may make its next piece.
        if case .bytes(_, let resumeRead?) = reply { resumeRead(true) }
        return reply
    }

    func complete(with trailers: HTTPFields) {
        state.withLock { $0.answer.receive(trailers: trailers) }
        finish(.success(()), dropsRest: false)
    }

    /// Ends the exchange early; bytes that arrived before are still delivered.
    func breakOff(_ error: TransportError) { finish(.failure(error), dropsRest: false) }

    /// Ends the transfer, and drops bytes that were not read.
    func fail(_ error: TransportError) { finish(.failure(error), dropsRest: true) }

    private func finish(_ end: Result<Void, TransportError>, dropsRest: Bool) {
        // Only the caller that sets the end gets the readers and the tasks, so each is resumed
        // once.
        let (ending, before, resumeRead) = state.withLock {
            state -> (AnswerState.Ending?, State, UploadState.ResumeRead?) in
            guard let ending = state.answer.finish(end, dropsRest: dropsRest) else { return (nil, state, nil) }
            let before = state
            (state.watchdog, state.uploadTask) = (nil, nil)
            return (ending, before, state.upload.finish())
        }
        guard let ending else { return }
        before.watchdog?.cancel()
        before.uploadTask?.cancel()
        // A pump that waits for libcurl's next read would wait for ever.
        resumeRead?(false)
        ending.tell(end)
        // The loop itself detaches a transfer that ended by itself. Only an end from outside needs
        // a command.
        if dropsRest { loop.tell(.remove(self)) }
    }
}

extension HTTPResponse {
    /// Whether it precedes the final head (RFC 9110 §15.2).
    var isInterim: Bool { status.code < 200 }
}

extension TransportError {
    fileprivate static func wrongLength(of head: HTTPRequest, _ length: Int64, _ found: String) -> TransportError {
        TransportError(
            .invalidRequest,
            message:
                "\(head.redacted()) was not sent completely: its body has \(found) bytes instead of \(length); give "
                + "the stream its true length, or nil")
    }
}
#endif
