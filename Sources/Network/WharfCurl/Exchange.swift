#if os(Linux)
internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// One request and its response. It connects the event thread, which moves bytes, with the tasks
/// that send and read them.
final class Exchange: BodyStream.Producer {
    private struct State {
        var answer = AnswerState()
        var upload = UploadState()
        /// Whether it has started, and no longer waits in the queue of its host.
        var isStarted = false
        var watchdog: Task<Void, Never>?
        var pump: Task<Void, Never>?
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

    deinit { state.withLock { $0.watchdog }?.cancel() }

    // MARK: Tasks

    func start(_ deadline: Deadline?) throws(TransportError) {
        try loop.post(.start(self))
        watch(deadline)
        sendBody()
    }

    func head() async throws(TransportError) -> HTTPResponse {
        let result: Result<HTTPResponse, TransportError> = await callbackValue { reply in
            if let result = state.withLock({ $0.answer.waitForHead(reply) }) { reply(result) }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func next() async throws(TransportError) -> [UInt8]? {
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

    private func reading(_ reading: AnswerState.Reading) -> Result<[UInt8]?, TransportError>? {
        switch reading {
        case .piece(let piece, let resumes):
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
        let isLate = state.withLock { state in
            state.watchdog = watchdog
            return state.answer.end != nil
        }
        if isLate { watchdog.cancel() }
    }

    private func timeOut(after timeout: Duration) {
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
        case .bytes(let bytes): bring(bytes, isLast: true)
        case .stream(let make, let length):
            let pump = Task { [self] in
                do throws(TransportError) {
                    try await send(make(), length)
                } catch {
                    fail(error)
                }
            }
            let isLate = state.withLock { state in
                state.pump = pump
                return state.answer.end != nil
            }
            if isLate { pump.cancel() }
        }
    }

    private func send(_ body: BodyStream, _ length: Int64?) async throws(TransportError) {
        var sent: Int64 = 0
        var chunks = body.makeAsyncIterator()
        while let chunk = try await chunks.next(isolation: nil) {
            sent += Int64(chunk.count)
            if let length, sent > length { throw .wrongLength(of: request.head, length, "\(sent) or more") }
            guard !chunk.isEmpty else { continue }
            bring(chunk, isLast: false)
            guard await isTaken() else { return }
        }
        if let length, sent < length { throw .wrongLength(of: request.head, length, "\(sent)") }
        bring([], isLast: true)
    }

    private func bring(_ piece: [UInt8], isLast: Bool) {
        if state.withLock({ $0.upload.bring(piece, isLast: isLast) }) { loop.tell(.send(self)) }
    }

    /// Returns false if no more bytes are wanted.
    private func isTaken() async -> Bool {
        await callbackValue { reply in
            if let goesOn = state.withLock({ $0.upload.wait(reply) }) { reply(goesOn) }
        }
    }
}

// MARK: - The event thread

extension Exchange {
    /// Returns false if it ended while it waited in the queue.
    func begin() -> Bool {
        state.withLock { state in
            state.isStarted = true
            return state.answer.end == nil
        }
    }

    func receive(_ head: HTTPResponse) {
        let reader = state.withLock { $0.answer.receive(head) }
        reader?(.success(head))
    }

    func receive(_ piece: UnsafeRawBufferPointer) -> AnswerState.Reception {
        let reception = state.withLock { $0.answer.receive(piece) }
        if case .taken(let reader?) = reception { reader(.success(Array(piece))) }
        return reception
    }

    func give(_ target: UnsafeMutableRawBufferPointer) -> UploadState.Gift {
        let gift = state.withLock { $0.upload.give(target) }
        if case .bytes(_, let pump?) = gift { pump(true) }
        return gift
    }

    func complete() { finish(.success(()), dropsRest: false) }

    /// Ends the exchange early; bytes that arrived before are still delivered.
    func breakOff(_ error: TransportError) { finish(.failure(error), dropsRest: false) }

    /// Ends the transfer, and drops bytes that were not read.
    func fail(_ error: TransportError) { finish(.failure(error), dropsRest: true) }

    private func finish(_ end: Result<Void, TransportError>, dropsRest: Bool) {
        let (ending, before, pump) = state.withLock { state -> (AnswerState.Ending?, State, UploadState.Pump?) in
            guard let ending = state.answer.finish(end, dropsRest: dropsRest) else { return (nil, state, nil) }
            let before = state
            (state.watchdog, state.pump) = (nil, nil)
            return (ending, before, state.upload.finish())
        }
        guard let ending else { return }
        before.watchdog?.cancel()
        before.pump?.cancel()
        pump?(false)
        ending.tell(end)
        if dropsRest { loop.tell(.remove(self)) }
    }
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
