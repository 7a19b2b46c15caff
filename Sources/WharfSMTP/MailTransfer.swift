#if os(Linux)
internal import CCurl
internal import WharfMessaging

/// The easy handle of one message. It is used and let go on the thread of its session alone.
final class MailTransfer {
    private let easy: UnsafeMutableRawPointer
    private let session: SMTPSession
    private let onAnswer: (SMTPTranscript) -> Void
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var recipients: UnsafeMutablePointer<curl_slist>?
    private var offset = 0
    private(set) var dialogue = SMTPDialogue()

    /// The seconds that a server has for its answer to QUIT.
    private static let patienceForQuit = 5
    /// The longest timeout in seconds. libcurl has milliseconds of 32 bits, and refuses more.
    private static let longestTimeout: Int64 = 2_147_483

    /// - Parameter onAnswer: is called when the server has answered to the message, before the
    ///   connection ends.
    init?(_ session: SMTPSession, onAnswer: @escaping (SMTPTranscript) -> Void) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        wharf_curl_set_quick_exit(easy)
        self.session = session
        self.onAnswer = onAnswer
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(recipients)
        errorText.deallocate()
    }

    /// Returns when the connection has come to its end.
    func perform(in multi: UnsafeMutableRawPointer) -> SMTPEnding {
        for result in options() where result != CURLE_OK {
            return .notSetUp("\(String(cString: curl_easy_strerror(result))); install a newer libcurl")
        }
        curl_multi_add_handle(multi, easy)
        defer { curl_multi_remove_handle(multi, easy) }
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            var queued: Int32 = 0
            if let message = curl_multi_info_read(multi, &queued) {
                return ending(wharf_curl_message_result(message))
            }
            // libcurl's own timers and the abortion end it earlier.
            curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
    }

    private func ending(_ code: CURLcode) -> SMTPEnding {
        if let abortion = session.abortion { return abortion }
        let said = String(cString: errorText)
        let reason = said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
        switch code {
        case CURLE_OK: return .complete
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: return .unreachable(reason)
        case CURLE_URL_MALFORMAT, CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_UNSUPPORTED_PROTOCOL:
            return .notSetUp(reason)
        // A reply to AUTH is in the dialogue and counts before this. Without one, libcurl found no
        // mechanism to use among those that EHLO listed, and has sent no AUTH.
        case CURLE_LOGIN_DENIED: return .notSignedIn
        case CURLE_USE_SSL_FAILED:
            return .notSecured("the server offers no STARTTLS; use another port, or SMTPServer.Security.tls")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            return .notSecured(reason)
        default:
            // Without a greeting there was no mail server at the other end.
            return dialogue.replies.isEmpty && code == CURLE_OPERATION_TIMEDOUT ? .unreachable(reason) : .lost(reason)
        }
    }

    // MARK: Options

    private func options() -> [CURLcode] {
        for recipient in session.recipients {
            guard let longer = curl_slist_append(recipients, "<\(recipient)>") else { return [CURLE_OUT_OF_MEMORY] }
            recipients = longer
        }
        let seconds = Int(min(max(1, session.timeout.components.seconds), Self.longestTimeout))
        return [
            wharf_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText),
            // Signals belong to the process, and libcurl would use one for the timeouts of names.
            wharf_curl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            wharf_curl_set_string(easy, CURLOPT_URL, session.server.url),
            wharf_curl_set_string(easy, CURLOPT_PROXY, ""),
            wharf_curl_set_long(easy, CURLOPT_FORBID_REUSE, 1),
            // libcurl's own limits are shorter; the session's timer ends it.
            wharf_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT, seconds),
            wharf_curl_set_response_timeout(easy, seconds),
            wharf_curl_set_string(easy, CURLOPT_MAIL_FROM, "<\(session.sender)>"),
            wharf_curl_set_pointer(easy, CURLOPT_MAIL_RCPT, recipients),
            // A recipient that is refused does not end the message for the others.
            wharf_curl_allow_refused_recipients(easy),
            wharf_curl_set_long(easy, CURLOPT_UPLOAD, 1),
            wharf_curl_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(session.bytes.count)),
        ] + security() + callbacks()
    }

    private func security() -> [CURLcode] {
        guard let security = session.server.security else { return [] }
        var results = [
            wharf_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        ]
        if security == .startTLS {
            // All: a server without STARTTLS gets nothing.
            results.append(wharf_curl_set_long(easy, CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)))
        }
        let authorities = session.server.authorities ?? Environment.value(of: "SSL_CERT_FILE")
        if let authorities { results.append(wharf_curl_set_string(easy, CURLOPT_CAINFO, authorities)) }
        if let folder = Environment.value(of: "SSL_CERT_DIR") {
            results.append(wharf_curl_set_string(easy, CURLOPT_CAPATH, folder))
        }
        guard let credentials = session.server.credentials else { return results }
        return results + [
            wharf_curl_set_string(easy, CURLOPT_USERNAME, credentials.user),
            wharf_curl_set_string(easy, CURLOPT_PASSWORD, credentials.password),
            wharf_curl_set_string(easy, CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN"),
        ]
    }

    // MARK: Callbacks

    private func callbacks() -> [CURLcode] {
        let this = Unmanaged.passUnretained(self).toOpaque()
        return [
            wharf_curl_set_pointer(easy, CURLOPT_READDATA, this),
            wharf_curl_set_transfer(easy, CURLOPT_READFUNCTION) { bytes, size, count, this in
                MailTransfer.of(this).give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
            },
            // The only safe way to stop. libcurl 7.88 sends the dot when a handle is removed in the
            // middle of a message, and the server would accept the part (`smtp_done`). In
            // curl_multi_perform it blocks on the reply to the dot and to QUIT, where
            // curl_multi_wakeup does not interrupt it; it calls this once a second there.
            wharf_curl_set_progress(easy, { this, _, _, _, _ in MailTransfer.of(this).isStopped ? 1 : 0 }, this),
            wharf_curl_set_transfer(easy, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count },
            // Without verbose there is no debug callback, which alone shows commands beside their
            // replies.
            wharf_curl_set_long(easy, CURLOPT_VERBOSE, 1),
            wharf_curl_set_pointer(easy, CURLOPT_DEBUGDATA, this),
            wharf_curl_set_debug(easy) { _, kind, bytes, count, this in
                guard let bytes, [CURLINFO_HEADER_IN, CURLINFO_HEADER_OUT].contains(kind) else { return 0 }
                let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
                MailTransfer.of(this).hear(line, isSent: kind == CURLINFO_HEADER_OUT)
                return 0
            },
        ]
    }

    /// libcurl retains nothing. The transfer is kept while its handle is in the multi handle.
    private static func of(_ pointer: UnsafeMutableRawPointer?) -> MailTransfer {
        Unmanaged.fromOpaque(pointer!).takeUnretainedValue()
    }

    /// An answer to the message ends nothing early: the rest is QUIT.
    private var isStopped: Bool { session.abortion != nil && dialogue.replies[.content] == nil }

    private func hear(_ line: String, isSent: Bool) {
        if isSent {
            dialogue.sent(line)
            // libcurl sends QUIT also behind a refusal. Without this a server that never answers
            // it holds the verdict back for the whole timeout.
            if dialogue.step == .quit { _ = wharf_curl_set_response_timeout(easy, Self.patienceForQuit) }
            return
        }
        let wasAnswered = dialogue.replies[.content] != nil
        dialogue.received(line)
        guard !wasAnswered, dialogue.replies[.content] != nil else { return }
        onAnswer(SMTPTranscript(dialogue: dialogue, ending: .complete))
    }

    private func give(_ target: UnsafeMutableRawBufferPointer) -> Int {
        // The end of the bytes would end the message.
        if isStopped { return Int(CURL_READFUNC_ABORT) }
        let count = min(target.count, session.bytes.count - offset)
        session.bytes.withUnsafeBytes { bytes in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        return count
    }
}
#endif
