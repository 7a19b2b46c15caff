#if os(Linux)
internal import CCurl

/// Moves the bytes of a transaction over the connection that libcurl has set up.
///
/// Reads while it writes: a server may answer the first commands of a group, or refuse a message,
/// while the client still sends. If neither side read, both would wait for the other (RFC 2920
/// §3.1).
struct MailExchange {
    private enum WriteResult { case some, blocked, nothing, failed(String) }

    // Both handles are libcurl's. The session owns them, outlives this value, and uses them on its
    // one thread.
    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let socket: curl_socket_t
    private(set) var transaction: SMTPTransaction
    /// The output that is being written.
    ///
    /// Invariant: it does not change before all of it is written. OpenSSL takes a write that was
    /// blocked only from the same address again.
    private var output: [UInt8] = []
    private var written = 0
    private var quitDeadline: ContinuousClock.Instant?

    /// The time that a server has for its answer to QUIT.
    private static let patienceForQuit = Duration.seconds(5)

    /// - Parameter easy: a connected handle that is still in `multi`.
    init(
        _ transaction: SMTPTransaction, over easy: UnsafeMutableRawPointer, in multi: UnsafeMutableRawPointer
    ) {
        self.transaction = transaction
        self.easy = easy
        self.multi = multi
        socket = wharf_curl_get_socket(easy)
    }

    /// Runs the transaction until it ends.
    ///
    /// It also ends if the connection is lost, or if `abortion` returns a reason.
    ///
    /// - Parameters:
    ///   - abortion: is called after each read and write, until the server has answered the
    ///     message.
    ///   - onSettled: is called once, when the outcome for each recipient is known.
    mutating func run(
        abortion: () -> SMTPEnding?, onSettled: ([SMTPStep: SMTPReply]) -> Void
    ) -> SMTPEnding {
        // After the answer to the message an abort must not replace the outcome, so `isReported`
        // turns the check off.
        var isReported = false
        var failure: String?
        while true {
            if !isReported, let reason = abortion() { return reason }
            // Reading comes first: a reply brings the next output, which no event of the socket
            // would announce.
            let loss = read()
            if transaction.isSettled, !isReported {
                isReported = true
                onSettled(transaction.replies)
            }
            if let violation = transaction.violation { return .violated(violation) }
            if transaction.isOver { return .complete }
            if let reason = loss ?? failure { return .lost(reason) }
            switch write() {
            case .some: continue
            // A server that refuses a message may close the connection. The reply with its reason
            // may have arrived already, so the loop reads once more.
            case .failed(let reason): failure = reason
            case .blocked: if !wait(isBlocked: true) { return .complete }
            case .nothing: if !wait(isBlocked: false) { return .complete }
            }
        }
    }

    // MARK: Bytes

    private mutating func write() -> WriteResult {
        if written == output.count {
            guard let next = transaction.nextOutput() else { return .nothing }
            output = next
            written = 0
        }
        var count = 0
        let result = output.withUnsafeBytes { bytes in
            curl_easy_send(easy, bytes.baseAddress! + written, bytes.count - written, &count)
        }
        switch result {
        case CURLE_OK:
            written += count
            return .some
        case CURLE_AGAIN: return .blocked
        default: return .failed(Self.text(result))
        }
    }

    /// Reads everything that has arrived. TLS may buffer bytes that a poll does not report.
    ///
    /// - Returns: the reason if the connection has ended.
    private mutating func read() -> String? {
        while !transaction.isOver {
            let (result, count) = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
                var count = 0
                let result = curl_easy_recv(easy, buffer.baseAddress, buffer.count, &count)
                transaction.receive(buffer[..<count])
                return (result, count)
            }
            switch result {
            case CURLE_OK where count == 0: return "the server closed it"
            case CURLE_OK: continue
            case CURLE_AGAIN: return nil
            default: return Self.text(result)
            }
        }
        return nil
    }

    private static func text(_ result: CURLcode) -> String { String(cString: curl_easy_strerror(result)) }

    // MARK: Waiting

    /// Waits until the socket is ready, or the session was aborted.
    ///
    /// - Returns: false if the time for the answer to QUIT is over.
    private mutating func wait(isBlocked: Bool) -> Bool {
        // `SMTPSession.abort` wakes the wait, so this number only bounds it.
        var milliseconds: Int32 = 60_000
        if transaction.isSettled {
            let deadline = quitDeadline ?? .now + Self.patienceForQuit
            quitDeadline = deadline
            // QUIT is a courtesy. A server that never answers it must not hold the permit for the
            // whole timeout.
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            milliseconds = Int32(left / .milliseconds(1)) + 1
        }
        // A leftover timer of libcurl would end each wait at once. This call removes it.
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var entry = curl_waitfd()
        entry.fd = socket
        entry.events = Int16(CURL_WAIT_POLLIN | (isBlocked ? CURL_WAIT_POLLOUT : 0))
        curl_multi_poll(multi, &entry, 1, milliseconds, nil)
        return true
    }
}
#endif
