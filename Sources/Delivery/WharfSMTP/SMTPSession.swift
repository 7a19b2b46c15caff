#if os(Linux)
internal import CCurl
internal import Synchronization
internal import WharfMessaging

/// The delivery of one message on its own connection and its own thread.
///
/// libcurl allows one thread at a time in a multi handle. Other threads may only wake it up.
final class SMTPSession: Sendable {
    typealias Reply = @Sendable (SMTPTranscript) -> Void

    private struct State {
        // Invariants when the lock is free:
        // - `multi` is nil or points to valid memory.
        // - `reply` and `end` are nil after they were taken for their only call.
        // - `abortion` does not change once it is set.
        /// The multi handle; nil before the thread runs and after it has ended.
        ///
        /// The thread is woken under the lock. Otherwise the handle could be released at the same
        /// time, and the wakeup would write to freed memory.
        var multi: Multi?
        var abortion: SMTPEnding?
        var reply: Reply?
        var end: (@Sendable () -> Void)?
    }

    /// Unchecked, since a pointer is not `Sendable`. Only the session's thread uses the handle, and
    /// other threads only wake it.
    private struct Multi: @unchecked Sendable {
        let raw: UnsafeMutableRawPointer
    }

    let server: SMTPServer
    let sender: EmailAddress
    let recipients: [EmailAddress]
    let bytes: [UInt8]
    let timeout: Duration
    private let state = Mutex(State())

    init(
        _ server: SMTPServer, from sender: EmailAddress, to recipients: [EmailAddress], _ bytes: [UInt8],
        within timeout: Duration
    ) {
        self.server = server
        self.sender = sender
        self.recipients = recipients
        self.bytes = bytes
        self.timeout = timeout
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - reply: is called once, when the outcome is known, even after ``abort(_:)``.
    ///   - end: is called once, when the connection is closed. QUIT is sent between the two calls.
    func start(_ reply: @escaping Reply, onEnd end: @escaping @Sendable () -> Void = {}) {
        state.withLock { state in
            state.reply = reply
            state.end = end
        }
        guard wharf_curl_is_ready() != 0, let multi = curl_multi_init() else {
            return finish(.failed("libcurl could not be set up; free memory"))
        }
        // Before the thread starts, which reads the handle first thing.
        state.withLock { $0.multi = Multi(raw: multi) }
        // The thread owns this reference. Without it the session could be released while libcurl
        // calls back into it.
        let context = Unmanaged.passRetained(self)
        let number = wharf_start_thread(
            { Unmanaged<SMTPSession>.fromOpaque($0!).takeRetainedValue().run() }, context.toOpaque())
        guard number != 0 else { return }
        context.release()
        state.withLock { $0.multi = nil }
        curl_multi_cleanup(multi)
        finish(.failed("the system gave no thread (error \(number)); free memory or threads"))
    }

    /// Ends the session early. Only the first reason counts.
    func abort(_ reason: SMTPEnding) {
        state.withLock { state in
            // The reason is stored before the wakeup. The thread checks it after each wait, so it
            // can't sleep past it.
            state.abortion = state.abortion ?? reason
            if let multi = state.multi { curl_multi_wakeup(multi.raw) }
        }
    }

    /// The reason for which the session was ended early; nil if it was not.
    var abortion: SMTPEnding? { state.withLock { $0.abortion } }

    private func run() {
        guard let multi = state.withLock({ $0.multi })?.raw else { return }
        var transcript = SMTPTranscript.failed("libcurl gave no handle; free memory")
        // The transfer removes its easy handle from `multi` before it returns. libcurl requires
        // that before the cleanup below.
        if let transfer = MailTransfer(self, onAnswer: { [self] in tell($0) }) {
            transcript = transfer.perform(in: multi)
        }
        state.withLock { $0.multi = nil }
        curl_multi_cleanup(multi)
        finish(transcript)
    }

    private func finish(_ transcript: SMTPTranscript) {
        tell(transcript)
        // After `reply`: `end` releases the permit, and the next session may then begin.
        let end = state.withLock { state in
            defer { state.end = nil }
            return state.end
        }
        end?()
    }

    /// Calls `reply` once, outside of the lock, since it resumes the waiter.
    private func tell(_ transcript: SMTPTranscript) {
        let reply = state.withLock { state in
            defer { state.reply = nil }
            return state.reply
        }
        reply?(transcript)
    }
}

extension SMTPTranscript {
    fileprivate static func failed(_ reason: String) -> SMTPTranscript {
        SMTPTranscript(ending: .notSetUp(reason))
    }
}
#endif
