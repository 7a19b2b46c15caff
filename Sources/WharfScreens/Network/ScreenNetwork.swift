internal import WharfCore
internal import WharfJSON
internal import WharfPlayback

/// How a receiver is spoken to: one request at a time, and what its answers mean.
struct ScreenNetwork: Sendable {
    struct Answer {
        var status: HTTPResponse.Status
        var bytes: [UInt8]
    }

    let transport: any Transport
    let timeout: Duration
    let silence: Duration
    let retry: RetryPolicy
    let clock: any Clock<Duration>

    /// The answer, whatever its status.
    ///
    /// - Throws: `cancelled`, `timedOut` or `disconnected`.
    func send(_ request: TransportRequest) async throws(PlaybackError) -> Answer {
        do throws(TransportError) {
            let response = try await transport.send(request)
            return Answer(status: response.head.status, bytes: try await response.body.collect(upTo: 1 << 20))
        } catch {
            throw .init(error)
        }
    }

    /// Sends it again where nobody knows whether it arrived.
    func sendAgain(_ request: TransportRequest) async throws(PlaybackError) -> Answer {
        var failures = 0
        while true {
            do throws(PlaybackError) {
                let answer = try await send(request)
                guard answer.status.isServerFailure else { return answer }
                throw PlaybackError(
                    .disconnected, "expected an answer, and the screen's status is \(answer.status.code)")
            } catch {
                failures += 1
                try await pause(after: failures, error)
            }
        }
    }

    /// - Throws: the error where nothing is to be tried again, and `cancelled`.
    func pause(
        after failures: Int, _ error: PlaybackError, atLeast least: Duration? = nil
    ) async throws(PlaybackError) {
        var random = SystemRandomNumberGenerator()
        guard error.code == .disconnected || error.code == .timedOut,
            let pause = retry.delay(afterFailures: failures, retryAfter: least, using: &random)
        else { throw error }
        do { try await clock.sleep(for: pause) } catch { throw .cancelledByCaller }
    }

    /// The message in an answer of success.
    ///
    /// - Throws: what the receiver says of itself, or what its status means.
    func read<Message: JSONDecodable>(
        _ type: Message.Type, from answer: Answer, for what: String
    ) throws(PlaybackError) -> Message {
        guard (200..<300).contains(answer.status.code) else { throw .init(answer, for: what) }
        return try Self.read(type, answer.bytes)
    }

    static func read<Message: JSONDecodable>(_ type: Message.Type, _ bytes: [UInt8]) throws(PlaybackError) -> Message {
        do throws(JSONError) { return try JSON.decode(type, from: bytes) } catch {
            throw PlaybackError(
                .malformed, "the screen's message is not as its protocol says: \(error.message)", cause: error)
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

    /// Why something was not done. A status without a message of the protocol is told by its number.
    init(_ answer: ScreenNetwork.Answer, for what: String) {
        do throws(PlaybackError) {
            self = try ScreenNetwork.read(ScreenMessage.Failure.self, answer.bytes).error
        } catch {
            let isGone = answer.status == .notFound || answer.status == .gone || answer.status.isServerFailure
            self.init(
                isGone ? .disconnected : .malformed,
                "expected \(what), and the screen's status is \(answer.status.code)", cause: error)
        }
    }
}
