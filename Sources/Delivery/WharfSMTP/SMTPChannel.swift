#if os(Linux)
internal import Synchronization
public import WharfCore
public import WharfMessaging
internal import WharfPrimitives

/// A channel that sends e-mail through a mail server, over SMTP (RFC 5321).
///
/// It uses libcurl, and is available on Linux only.
///
/// ```swift
/// let email = SMTPChannel(
///     from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"),
///     server: try SMTPServer(
///         "smtp.example.com", credentials: SMTPCredentials(user: "wharf@example.com", password: password)))
/// let outbox = OutboxEngine(store: store, destinations: [ChannelDestination(email)])
/// ```
///
/// It sends an `EmailMessage` with text, HTML, images, attachments, cc and bcc. Each message has
/// its own connection. If the server announces PIPELINING, the commands of a message are one write
/// (RFC 2920). The number of round trips then does not grow with the number of recipients.
///
/// The server answers for each recipient separately:
/// - 4yz: the message is retried for this recipient, and the attempt counts.
/// - 5yz: the message is refused for this recipient, and `onRefusal` is called. The other
///   recipients get the message.
/// - If `to` was refused, the message becomes a dead letter, which names each refused recipient
///   with the answer. If only cc or bcc were refused, it counts as delivered, since a fallback
///   channel would reach `to` a second time.
/// - The channel remembers in memory which recipients the server has taken, for 1,024 messages, and
///   does not send to them again. After a kill they may get the message twice.
///
/// Other outcomes apply to the whole message:
///
/// | outcome | verdict |
/// |---|---|
/// | no connection, no STARTTLS, a certificate that is not trusted | offline |
/// | 535 to the credentials, 530 to the sender, neither PLAIN nor LOGIN | needs authentication |
/// | 4yz or 5yz to the connection or to EHLO, 4yz to the sender, 421 | retry |
/// | 5yz to the sender | rejected |
/// | a connection that is lost, no answer in time, an option that libcurl refuses | retry |
/// | an answer that breaks the protocol, with a line over 64 KB or more than 1,000 lines | retry |
///
/// If the connection is lost after the last line of the message, the server may or may not have
/// taken it. The channel counts a message as sent only when the answer to the last line has
/// arrived. The message is retried and may arrive twice, with the same `Message-ID` (RFC 5321
/// §4.5.4.1, RFC 1047).
public final class SMTPChannel: MessageChannel {
    public let name: String
    public let limits: ChannelLimits
    private let from: Mailbox
    private let server: SMTPServer
    private let timeout: Duration
    private let timer: any Clock<Duration>
    private let connections: AsyncSemaphore
    private let onRefusal: @Sendable (RefusedRecipient) -> Void
    // Invariant: a recipient is recorded only after the server has answered for it. The outbox runs
    // one attempt of an entry at a time, so no other attempt settles a key between `open` and
    // `settle`.
    private let ledger = Mutex(RecipientLedger())

    /// The settings of a channel: connections, timeout and the handler of refusals.
    public struct Configuration: Sendable {
        /// The number of messages that are sent at the same time.
        public var connections: Int
        /// The time for one message, from connecting to the last answer.
        public var timeout: Duration
        /// The clock of the timeout.
        public var timer: any Clock<Duration>
        /// The handler of recipients that the server refuses for good.
        ///
        /// It is called once for each of them, in cc and bcc too. After a kill the same refusal may
        /// be reported again.
        public var onRefusal: @Sendable (RefusedRecipient) -> Void

        /// Creates a configuration.
        public init(
            connections: Int = 4, timeout: Duration = .seconds(600), timer: any Clock<Duration> = ContinuousClock(),
            onRefusal: @escaping @Sendable (RefusedRecipient) -> Void = { _ in }
        ) {
            self.connections = connections
            self.timeout = timeout
            self.timer = timer
            self.onRefusal = onRefusal
        }
    }

    /// Creates a channel.
    public init(
        _ name: String = "email", from: Mailbox, server: SMTPServer, limits: ChannelLimits = ChannelLimits(),
        configuration: Configuration = Configuration()
    ) {
        self.name = name
        self.from = from
        self.server = server
        self.limits = limits
        timeout = configuration.timeout
        timer = configuration.timer
        connections = AsyncSemaphore(permits: max(1, configuration.connections))
        onRefusal = configuration.onRefusal
    }

    public func deliver(_ part: MessagePart) async -> Delivery.Verdict {
        let message: EmailMessage
        let bytes: [UInt8]
        do {
            message = try EmailMessage(part, from: from)
            bytes = try message.encoded()
        } catch {
            return .rejected(DeliveryFailure(.rejected, message: error.message))
        }
        let recipients = ledger.withLock { $0.open(message.recipients, of: part.key) }
        let transcript = await transcript(
            of: SMTPSession(server, from: from.address, to: recipients, bytes, within: timeout))
        switch SMTPOutcome(transcript, recipients: recipients.count, server: server.host) {
        case .whole(let verdict): return verdict
        case .each(let outcomes):
            let answers = zip(recipients, outcomes).map { (address: $0, outcome: $1) }
            let to = message.to[0].address
            let verdict = ledger.withLock { $0.settle(answers, to: to, of: part.key, server: server.host) }
            // Outside of the lock: the closure is the app's, and may take a lock of its own.
            for case (let address, .refused(let answer)) in answers {
                onRefusal(RefusedRecipient(address: address, answer: answer, to: to, key: part.key))
            }
            return verdict
        }
    }

    private func transcript(of session: SMTPSession) async -> SMTPTranscript {
        // Without a permit there is nothing to release, and no session has begun.
        if case .cancelled = await connections.acquireUnlessCancelled() {
            return SMTPTranscript(ending: .cancelled)
        }
        // Taken after the permit, so the wait for a connection does not shorten the session.
        let deadline = Deadline(after: timeout, on: timer)
        let watchdog = Task {
            // The wait throws when the session is over and this task is cancelled.
            do { try await deadline.wait() } catch { return }
            session.abort(.timedOut(timeout))
        }
        defer { watchdog.cancel() }
        return await callbackValue {
            // The permit is held until the connection closes, which QUIT may delay after the
            // answer.
            session.start($0) { [connections] in connections.release() }
        } onCancel: {
            session.abort(.cancelled)
        }
    }
}
#endif
