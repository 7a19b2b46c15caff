internal import WharfCore
internal import WharfJSON
internal import WharfPlayback
internal import WharfPrimitives

/// The requests to a receiver, and the interpretation of its answers.
struct ScreenNetwork: Sendable {
    struct Answer {
        var status: HTTPResponse.Status
        /// The delay that the receiver asks for; nil without one, or if it is a date.
        var retryAfter: Duration?
        var bytes: [UInt8]
    }

    /// The maximum length of a message in bytes.
    static let bodyLimit = 1 << 20

    let transport: any Transport
    let timeout: Duration
    let silence: Duration
    let retry: RetryPolicy
    let clock: any Clock<Duration>
    let random: SharedRandom

    /// Sends a request, and returns the answer with any status.
    ///
    /// - Throws: `cancelled`, `timedOut` or `disconnected`.
    func send(_ request: TransportRequest) async throws(PlaybackError) -> Answer {
        try await Self.send(request, by: transport)
    }

    private static func send(
        _ request: TransportRequest, by transport: any Transport
    ) async throws(PlaybackError) -> Answer {
        do throws(TransportError) {
            let response = try await transport.send(request)
            let seconds = response.head.headerFields[.retryAfter].flatMap { UInt32($0) }
            return Answer(
                status: response.head.status, retryAfter: seconds.map { .seconds($0) },
                bytes: try await response.body.collect(upTo: bodyLimit))
        } catch {
            throw .init(error)
        }
    }

    /// Sends one message once, and parses the message in the answer.
    static func exchange<Message: JSONEncodable, Reply: JSONDecodable>(
        _ message: Message, _ reply: Reply.Type, _ address: ScreenAddress, _ below: String, timeout: Duration?,
        by transport: any Transport, for what: String
    ) async throws(PlaybackError) -> Reply {
        let bytes: [UInt8]
        do throws(JSONError) { bytes = try JSON.encode(message) } catch {
            throw PlaybackError(.malformed, "the message can't be written as JSON: \(error.message)", cause: error)
        }
        let answer = try await send(address.request(.post, below, bytes, timeout: timeout), by: transport)
        return try read(reply, from: answer, for: what)
    }

    /// Sends a request with retries.
    ///
    /// It retries with backoff if the arrival is unknown, or the status is 5xx.
    ///
    /// It returns the last answer with any status.
    func sendAgain(_ request: TransportRequest) async throws(PlaybackError) -> Answer {
        var failures = 0
        while true {
            var last: Answer?
            var failure: PlaybackError?
            do throws(PlaybackError) {
                let answer = try await send(request)
                guard answer.status.isServerFailure else { return answer }
                last = answer
            } catch {
                // The command may have arrived. Its sequence number lets the receiver recognise the
                // repetition.
                guard error.code == .disconnected || error.code == .timedOut else { throw error }
                failure = error
            }
            failures += 1
            if try await pause(after: failures, atLeast: last?.retryAfter) { continue }
            if let last { return last }
            throw failure ?? .cancelledByCaller
        }
    }

    /// Waits for the backoff after a failure.
    ///
    /// - Returns: whether to retry; false if there is no attempt left.
    /// - Throws: `cancelled`.
    func pause(after failures: Int, atLeast least: Duration? = nil) async throws(PlaybackError) -> Bool {
        let pause = random.draw { retry.delay(afterFailures: failures, retryAfter: least, using: &$0) }
        guard let pause else { return false }
        do { try await clock.sleep(for: pause) } catch { throw .cancelledByCaller }
        return true
    }

    /// Parses the message in a successful answer.
    ///
    /// - Throws: the receiver's error, or an error for its status.
    func read<Message: JSONDecodable>(
        _ type: Message.Type, from answer: Answer, for what: String
    ) throws(PlaybackError) -> Message {
        try Self.read(type, from: answer, for: what)
    }

    static func read<Message: JSONDecodable>(
        _ type: Message.Type, from answer: Answer, for what: String
    ) throws(PlaybackError) -> Message {
        guard (200..<300).contains(answer.status.code) else { throw .init(answer, for: what) }
        return try read(type, answer.bytes)
    }

    static func read<Message: JSONDecodable>(_ type: Message.Type, _ bytes: [UInt8]) throws(PlaybackError) -> Message {
        do throws(JSONError) { return try JSON.decode(type, from: bytes) } catch {
            throw PlaybackError(
                .malformed, "the screen's message violates the protocol: \(error.message)", cause: error)
        }
    }
}

extension PlaybackError {
    init(_ error: TransportError) {
        switch error.code {
        case .cancelled: self = .cancelledByCaller
        case .timedOut: self.init(.timedOut, error.message, cause: error)
        default: self.init(.disconnected, error.message, cause: error)
        }
    }

    /// Creates an error from a failed answer. Without a message of the protocol it names the
    /// status.
    init(_ answer: ScreenNetwork.Answer, for what: String) {
        do throws(PlaybackError) {
            let failure = try ScreenNetwork.read(ScreenMessage.Failure.self, answer.bytes)
            self = answer.status == .gone ? failure.loss : failure.error
        } catch {
            let isGone = answer.status == .notFound || answer.status == .gone || answer.status.isServerFailure
            self.init(
                isGone ? .disconnected : .malformed,
                "the screen answered \(answer.status.code) to \(what)", cause: error)
        }
    }
}
