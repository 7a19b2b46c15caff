#if os(Linux)
internal import CCurl
internal import WharfMessaging

/// The easy handle of one message, by which libcurl connects, encrypts and authenticates.
///
/// libcurl could send the message as well, but does not pipeline its commands. `CONNECT_ONLY` ends
/// its part after AUTH, and a ``MailExchange`` continues on the same connection. With that option
/// libcurl sends neither QUIT nor a dot when the handle is removed in the middle of a message.
///
/// It is used and released only on the thread of its session.
final class MailTransfer {
    private let easy: UnsafeMutableRawPointer
    private let session: SMTPSession
    private let onAnswer: (SMTPTranscript) -> Void
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var handshake = SMTPHandshake()
    private var replies: [SMTPStep: SMTPReply] = [:]

    /// The longest timeout in seconds. libcurl has milliseconds of 32 bits, and refuses more.
    private static let longestTimeout: Int64 = 2_147_483

    /// - Parameter onAnswer: is called when the outcome for each recipient is known, before QUIT.
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
        errorText.deallocate()
    }

    /// Sends the message, and returns when the connection has ended.
    func perform(in multi: UnsafeMutableRawPointer) -> SMTPTranscript {
        for result in options() where result != CURLE_OK {
            return SMTPTranscript(
                ending: .notSetUp("\(String(cString: curl_easy_strerror(result))); install a newer libcurl"))
        }
        curl_multi_add_handle(multi, easy)
        defer { curl_multi_remove_handle(multi, easy) }
        let failure = connect(in: multi)
        replies = handshake.replies
        let ending = failure ?? exchange(in: multi)
        return SMTPTranscript(replies: replies, ending: ending)
    }

    /// Connects and authenticates.
    ///
    /// - Returns: nil if the server is ready for a message.
    private func connect(in multi: UnsafeMutableRawPointer) -> SMTPEnding? {
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            // Before libcurl's result: it reports a callback's error as a write error, without the
            // cause.
            if let fault = handshake.fault { return .violated(.limit(fault)) }
            if let abortion = session.abortion { return abortion }
            var queued: Int32 = 0
            if let message = curl_multi_info_read(multi, &queued) {
                let code = wharf_curl_message_result(message)
                return code == CURLE_OK ? nil : ending(code)
            }
            // libcurl's own timers and `SMTPSession.abort` end this wait earlier.
            curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
    }

    private func exchange(in multi: UnsafeMutableRawPointer) -> SMTPEnding {
        var exchange = MailExchange(
            SMTPTransaction(
                from: "\(session.sender)", to: session.recipients.map { "\($0)" }, session.bytes,
                extensions: handshake.extensions),
            over: easy, in: multi)
        let before = replies
        let ending = exchange.run(abortion: { session.abortion }) { [onAnswer] replies in
            let all = before.merging(replies) { $1 }
            onAnswer(SMTPTranscript(replies: all, ending: .complete))
        }
        // A refusal that arrived before a loss still counts.
        replies.merge(exchange.transaction.replies) { $1 }
        return ending
    }

    private func ending(_ code: CURLcode) -> SMTPEnding {
        let said = String(cString: errorText)
        let reason = said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: return .unreachable(reason)
        case CURLE_URL_MALFORMAT, CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_UNSUPPORTED_PROTOCOL:
            return .notSetUp(reason)
        // If there was a reply to AUTH, the handshake has it, and it takes precedence. Otherwise
        // libcurl found no usable mechanism in the answer to EHLO and has sent no AUTH.
        case CURLE_LOGIN_DENIED: return .notSignedIn
        case CURLE_USE_SSL_FAILED:
            return .notSecured("the server offers no STARTTLS; use another port, or SMTPServer.Security.tls")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            return .notSecured(reason)
        default:
            // Without a greeting there was no mail server at the other end.
            return handshake.replies.isEmpty && code == CURLE_OPERATION_TIMEDOUT ? .unreachable(reason) : .lost(reason)
        }
    }

    // MARK: Options

    private func options() -> [CURLcode] {
        let seconds = Int(min(max(1, session.timeout.components.seconds), Self.longestTimeout))
        return [
            wharf_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText),
            // Without NOSIGNAL, libcurl may use SIGALRM for the timeouts of name lookups. Signal
            // handlers belong to the app.
            wharf_curl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            wharf_curl_set_string(easy, CURLOPT_URL, session.server.url),
            // The variables of the environment name proxies for HTTP, which do not speak SMTP.
            wharf_curl_set_string(easy, CURLOPT_PROXY, ""),
            // libcurl's default timeouts may be shorter than the session's, which must count.
            wharf_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT, seconds),
            wharf_curl_set_response_timeout(easy, seconds),
            wharf_curl_set_long(easy, CURLOPT_CONNECT_ONLY, 1),
        ] + security() + callbacks()
    }

    private func security() -> [CURLcode] {
        guard let security = session.server.security else { return [] }
        var results = [
            wharf_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        ]
        if security == .startTLS {
            // With CURLUSESSL_ALL a server without STARTTLS gets neither credentials nor a message.
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
            wharf_curl_set_transfer(easy, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count },
            // libcurl calls this for each line after the debug callback. Before libcurl 8.3 an
            // endless reply is read for ever, and only an error of a callback stops it.
            wharf_curl_set_pointer(easy, CURLOPT_HEADERDATA, this),
            wharf_curl_set_transfer(easy, CURLOPT_HEADERFUNCTION) { _, size, count, this in
                MailTransfer.of(this).handshake.fault == nil ? size * count : 0
            },
            // The debug callback needs VERBOSE. No other callback shows both commands and replies.
            wharf_curl_set_long(easy, CURLOPT_VERBOSE, 1),
            wharf_curl_set_pointer(easy, CURLOPT_DEBUGDATA, this),
            wharf_curl_set_debug(easy) { _, kind, bytes, count, this in
                guard let bytes, [CURLINFO_HEADER_IN, CURLINFO_HEADER_OUT].contains(kind) else { return 0 }
                MailTransfer.of(this).hear(
                    UnsafeRawBufferPointer(start: bytes, count: count), isSent: kind == CURLINFO_HEADER_OUT)
                return 0
            },
        ]
    }

    /// Returns the transfer of a callback.
    ///
    /// libcurl does not retain it. `SMTPSession.run` keeps it alive during `perform(in:)`.
    private static func of(_ pointer: UnsafeMutableRawPointer?) -> MailTransfer {
        Unmanaged.fromOpaque(pointer!).takeUnretainedValue()
    }

    private func hear(_ bytes: UnsafeRawBufferPointer, isSent: Bool) {
        if isSent {
            handshake.sent(String(decoding: bytes, as: UTF8.self))
        } else {
            handshake.received(bytes)
        }
    }
}
#endif
