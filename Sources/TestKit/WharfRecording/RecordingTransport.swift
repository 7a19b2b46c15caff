internal import Synchronization
public import WharfCore

/// A transport that records the exchanges of another one into a file.
///
/// A ``ReplayTransport`` plays the file back. So a test uses the real service once, and runs
/// without it afterwards.
///
/// ```swift
/// let recording = "\(folder)/sign-in.json"
/// let network: any Transport = isRecording
///     ? try RecordingTransport(over: PlatformTransport(), into: recording) : try ReplayTransport(recording)
/// ```
///
/// The file is JSON that can be read and edited: one object per exchange, with bodies as JSON or
/// text if possible. Secrets are replaced before the file is written, as ``Redaction`` describes,
/// and the file names the replaced parts. It is replaced atomically after each exchange, and only
/// this user can read it.
///
/// Answers are passed on unchanged. Interim responses and trailers are passed on and not recorded.
/// If the reader releases a body early, the recording ends there too.
public final class RecordingTransport: Transport {
    private let base: any Transport
    private let recorder: Recorder

    /// Creates the file, without exchanges yet. An older file is replaced.
    ///
    /// - Throws: ``RecordingError/Code/unwritable``.
    public init(
        over base: any Transport, into path: String, redacting rules: Redaction = .standard
    ) throws(RecordingError) {
        self.base = base
        self.recorder = try Recorder(RecordingFile(path: path), rules)
    }

    /// Sends a request by the other transport, and records the exchange.
    ///
    /// - Throws: the errors of the other transport; ``TransportError/Code/recordingFailed`` if the
    ///   file can't be written, also from the body.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let sent = SentBody(request.body)
        var observed = request
        observed.body = sent.body
        let number = recorder.begin()
        let response: TransportResponse
        do throws(TransportError) {
            response = try await base.send(observed)
        } catch {
            // The caller cancelled, so the outcome of the request is unknown and is not recorded.
            if error.code != .cancelled {
                let request = RecordedRequest(request.head, body: sent.bytes)
                try recorder.end(number, request, RecordedAnswer(failure: RecordedFailure(error)))
            }
            throw error
        }
        let body = RecordedStream(response.body) { [recorder] bytes, failure throws(TransportError) in
            var answer = RecordedAnswer(response.head)
            answer.body = bytes
            answer.failure = failure.map(RecordedFailure.init)
            try recorder.end(number, RecordedRequest(request.head, body: sent.bytes), answer)
        }
        var recorded = response
        recorded.body = BodyStream(body, expectedLength: response.body.expectedLength)
        return recorded
    }
}

/// The recorded exchanges, in the order in which the requests were sent.
private final class Recorder: Sendable {
    private struct State {
        var last = 0
        var exchanges: [Int: RecordedExchange] = [:]
        var redactor: Redactor
    }

    private let file: RecordingFile
    private let rules: Redaction
    // `last` is the greatest number given out. No stored exchange contains a secret that `redactor`
    // knows.
    private let state: Mutex<State>

    init(_ file: RecordingFile, _ rules: Redaction) throws(RecordingError) {
        self.file = file
        self.rules = rules
        self.state = Mutex(State(redactor: Redactor(rules)))
        try file.write(Recording(redacting: rules))
    }

    func begin() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    func end(_ number: Int, _ request: RecordedRequest, _ answer: RecordedAnswer) throws(TransportError) {
        // The file is written under the lock, so that an older state never replaces a newer one.
        let failure: RecordingError? = state.withLock { state in
            state.exchanges[number] = state.redactor.redact(RecordedExchange(request: request, answer: answer))
            // A secret that this exchange reveals may occur in earlier exchanges.
            state.exchanges = state.exchanges.mapValues { [redactor = state.redactor] in redactor.clearing($0) }
            let exchanges = state.exchanges.sorted { $0.key < $1.key }.map(\.value)
            do throws(RecordingError) {
                try file.write(Recording(exchanges, redacting: rules))
                return nil
            } catch {
                return error
            }
        }
        if let failure {
            throw TransportError(.recordingFailed, message: failure.message, cause: failure)
        }
    }
}

/// A request's body, which is collected while it is sent.
private final class SentBody: Sendable {
    private let seen = Mutex<[UInt8]>([])
    private let original: RequestBody

    init(_ original: RequestBody) { self.original = original }

    var bytes: [UInt8] {
        if case .bytes(let bytes) = original { bytes } else { seen.withLock { $0 } }
    }

    var body: RequestBody {
        guard case .stream(let make, let length) = original else { return original }
        return .stream(
            { [self] in
                // The body is sent again from its start: the first attempt was refused.
                seen.withLock { $0 = [] }
                let body = make()
                return BodyStream(
                    SeenStream(body) { chunk in self.seen.withLock { $0 += chunk } },
                    expectedLength: body.expectedLength)
            }, length: length)
    }
}
