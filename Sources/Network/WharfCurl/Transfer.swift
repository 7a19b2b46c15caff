#if os(Linux)
internal import CCurl
internal import WharfCore

/// libcurl's side of one exchange: the handle, and the state that its callbacks write. Confined to
/// the event thread.
final class Transfer {
    let exchange: Exchange
    let handle: EasyHandle
    private let report: (DeferredEvent) -> Void
    // All of this state is used on the event thread: libcurl calls back only inside a call that
    // this thread makes.
    private var parser = HeadParser()
    /// The error with which a callback ended the transfer.
    private var refusal: TransportError?
    /// The number of times that libcurl was about to send.
    private var attempts = 0
    /// The pin of the server's key, taken from libcurl's log.
    private var foundPin: String?
    private var isReceivingPaused = false
    private var isSendingPaused = false

    /// An observation of a callback that can be handled only after libcurl has returned.
    enum DeferredEvent {
        /// The reader is behind, so the transfer moves no bytes.
        case stalled(Exchange)
        /// One connection to the host carries many concurrent requests.
        case multiplexed(Exchange)
        /// The host has answered on a connection that carries one request at a time.
        case single(Exchange)
    }

    /// - Parameter report: is called inside libcurl's callbacks, where no libcurl function may be
    ///   called.
    init(_ exchange: Exchange, _ options: CurlOptions, report: @escaping (DeferredEvent) -> Void) throws(CurlFailure) {
        self.exchange = exchange
        self.report = report
        handle = try EasyHandle()
        try options.apply(to: handle)
        try setRequest()
        try setCallbacks()
        try setPins()
    }

    // MARK: Pausing

    /// Resumes receiving. libcurl may call back before this returns.
    func resumeReceiving() {
        isReceivingPaused = false
        applyPause()
    }

    func resumeSending() {
        isSendingPaused = false
        applyPause()
    }

    private func applyPause() {
        // libcurl sets both directions at once, so each call must repeat the other direction's
        // state.
        let mask = (isReceivingPaused ? CURLPAUSE_RECV : 0) | (isSendingPaused ? CURLPAUSE_SEND : 0)
        // A failure ends the transfer and is reported by its result.
        curl_easy_pause(handle.raw, mask)
    }

    // MARK: The end

    /// Reports to the exchange how libcurl ended the transfer.
    func finish(_ code: CURLcode) {
        if let error = failure(code) {
            exchange.breakOff(error)
        } else {
            exchange.complete(with: parser.trailers)
        }
    }

    private func failure(_ code: CURLcode) -> TransportError? {
        let request = exchange.request.head
        // A callback that aborts makes libcurl report a write error. The refusal is the true
        // reason.
        if let refusal { return refusal }
        if code == CURLE_OK {
            guard !parser.isDone else { return nil }
            return TransportError(
                .connectionLost,
                message:
                    "\(request.redacted()) failed: the connection was closed within the response's head; the server "
                    + "may have carried it out, so send it again if it is idempotent")
        }
        if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH, let entry = exchange.pins { return mismatch(entry) }
        let failure = CurlFailure(
            code: code, text: handle.text,
            systemError: Int32(truncatingIfNeeded: wharf_curl_get_long(handle.raw, CURLINFO_OS_ERRNO)),
            hasAnswerBegun: parser.count > 0,
            // Before the first attempt no connection was used. A count of 0 would then look like a
            // reused one.
            isOnKeptConnection: attempts > 0 && wharf_curl_get_long(handle.raw, CURLINFO_NUM_CONNECTS) == 0)
        return failure.error(for: request)
    }

    private func mismatch(_ entry: PublicKeyPins.Entry) -> TransportError {
        // The pin is in libcurl's log only, and not in that of each TLS library.
        guard let foundPin else { return entry.uncheckable("the server has another key, which libcurl does not show") }
        do throws(TransportError) {
            try entry.check(foundPin)
        } catch {
            return error
        }
        return entry.uncheckable("libcurl refused a key that is pinned")
    }

    // MARK: Callbacks

    private func setCallbacks() throws(CurlFailure) {
        // An unretained pointer avoids a cycle: `TransferSet` retains the transfer until its handle
        // is removed.
        let this = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_HEADERDATA, this)
        try handle.set(CURLOPT_WRITEDATA, this)
        try handle.set(CURLOPT_READDATA, this)
        try handle.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, this in
            Transfer.of(this).receive(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        try handle.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, this in
            Transfer.of(this).receive(piece: UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        try handle.set(CURLOPT_READFUNCTION) { bytes, size, count, this in
            Transfer.of(this).give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        let result = wharf_curl_set_prereq(
            handle.raw,
            { this, _, _, _, _ in Transfer.of(this).mayBeSent() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT },
            this)
        // Before libcurl 7.80 only a fresh connection prevents libcurl from sending a POST twice.
        if result != CURLE_OK, !exchange.request.isIdempotent { try handle.set(CURLOPT_FRESH_CONNECT, 1) }
        guard exchange.pins != nil else { return }
        try handle.set(CURLOPT_VERBOSE, 1)
        try handle.set(CURLOPT_DEBUGDATA, this)
        try handle.check(
            wharf_curl_set_debug(handle.raw) { _, kind, bytes, count, this in
                if kind == CURLINFO_TEXT {
                    Transfer.of(this).read(log: UnsafeRawBufferPointer(start: bytes, count: count))
                }
                return 0
            })
    }

    /// Returns the transfer behind a callback's context. libcurl retains no objects. The transfer
    /// stays alive while its handle is in the multi handle.
    private static func of(_ pointer: UnsafeMutableRawPointer?) -> Transfer {
        Unmanaged.fromOpaque(pointer!).takeUnretainedValue()
    }

    /// Called when libcurl is about to send the request. A second call is libcurl's retry after a
    /// reused connection was closed, which would carry out a POST twice. The transport retries
    /// instead, because it knows which requests are idempotent.
    private func mayBeSent() -> Bool {
        attempts += 1
        guard attempts > 1 else { return true }
        // `failure` then reports the cause by which the transport retries.
        refusal = .keptConnectionClosed(under: exchange.request.head)
        return false
    }

    /// - Returns: the length of the line, or another number to end the transfer.
    private func receive(line: UnsafeRawBufferPointer) -> Int {
        do throws(HeadParser.Malformed) {
            guard let head = try parser.take(line) else { return line.count }
            guard !head.isInterim else {
                if exchange.request.onInterim != nil { exchange.receive(head) }
                return line.count
            }
            let isMultiplexed =
                wharf_curl_get_long(handle.raw, CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0)
            // libcurl forbids adding transfers in a callback, so the queue is opened after it.
            report(isMultiplexed ? .multiplexed(exchange) : .single(exchange))
            exchange.receive(head)
            return line.count
        } catch {
            refusal = .brokenAnswer(to: exchange.request.head, error.reason)
            // Any count other than the line's length makes libcurl abort.
            return 0
        }
    }

    private func receive(piece: UnsafeRawBufferPointer) -> Int {
        switch exchange.receive(piece) {
        case .taken: return piece.count
        // Any count but the piece's aborts. 0 would mean success for an empty piece.
        case .refused: return piece.isEmpty ? 1 : 0
        case .paused:
            // libcurl keeps the piece. The flag is set before it returns, so a resume of the other
            // direction does not resume this one.
            isReceivingPaused = true
            report(.stalled(exchange))
            return Int(CURL_WRITEFUNC_PAUSE)
        }
    }

    private func give(_ target: UnsafeMutableRawBufferPointer) -> Int {
        switch exchange.give(target) {
        case .bytes(let count, _): return count
        case .end: return 0
        case .refused: return Int(CURL_READFUNC_ABORT)
        case .paused:
            isSendingPaused = true
            return Int(CURL_READFUNC_PAUSE)
        }
    }

    private func read(log: UnsafeRawBufferPointer) {
        let line = String(decoding: log, as: UTF8.self)
        // The text is libcurl's and may change. Then `foundPin` stays nil and the error says less.
        let mark = "public key hash: sha256//"
        guard let start = line.firstRange(of: mark)?.upperBound else { return }
        foundPin = String(line[start...].prefix { !$0.isWhitespace })
    }
}
#endif
