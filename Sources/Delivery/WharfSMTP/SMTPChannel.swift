#if os(Linux)
internal import Synchronization
public import WharfCore
public import WharfMessaging
internal import WharfPrimitives

/// Sends e-mail by a mail server, over SMTP (RFC 5321) with libcurl. On Linux; other platforms do
/// not have it.
///
/// ```swift
/// let email = SMTPChannel(
///     from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"),
///     server: try SMTPServer(
///         "smtp.example.com", credentials: SMTPCredentials(user: "wharf@example.com", password: password)))
/// let outbox = OutboxEngine(store: store, destinations: [ChannelDestination(email)])
/// ```
///
/// It sends an `EmailMessage`: text and HTML, images, attachments, cc and bcc. Each message has a
/// connection of its own. If the server announces PIPELINING, the commands of a message are one
/// write (RFC 2920). Many recipients take no more round trips than one, then.
///
/// The server answers for each recipient by itself:
/// - 4yz: the message is tried again for this recipient. The attempt counts.
/// - 5yz: the message is refused for this recipient, and `onRefusal` is called. The others get it.
/// - If `to` was refused, the message becomes a dead letter, which names each refused recipient
///   with the answer. If only cc or bcc were refused, it counts as delivered: a fallback channel
///   would reach `to` a second time.
/// - A recipient that the server has taken does not get the message again, as long as the channel
///   exists. After a kill it may.
///
/// All others:
///
/// | found | verdict |
/// |---|---|
/// | no connection, no STARTTLS, a certificate that is not trusted | offline |
/// | 535 to the credentials, 530 to the sender, neither PLAIN nor LOGIN | needs authentication |
/// | 4yz or 5yz to the connection or to EHLO, 4yz to the sender, 421 | retry |
/// | 5yz to the sender | rejected |
/// | a connection that is lost, no answer in time, an option that libcurl refuses | retry |
/// | an answer that breaks the protocol, with a line over 64 KB or more than 1,000 lines | retry |
///
/// A connection that is lost after the last line leaves open whether the server has the message. It
/// counts as not sent until the answer to its last line has come. It is tried again, and may arrive
/// twice, with the same `Message-ID` (RFC 5321 §4.5.4.1, RFC 1047).
public final class SMTPChannel: MessageChannel {
    public let name: String
    public let limits: ChannelLimits
    private let from: Mailbox
    private let server: SMTPServer
    private let timeout: Duration
    private let timer: any Clock<Duration>
    private let connections: AsyncSemaphore
    private let onRefusal: @Sendable (RefusedRecipient) -> Void
    private let ledger = Mutex(RecipientLedger())

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - connections: messages that are sent at a time.
    ///   - timeout: for one message, from the first byte to the last answer.
    ///   - timer: measures it.
    ///   - onRefusal: is called once for each recipient that the server refuses for good, cc and
    ///     bcc among them. After a kill the same refusal may be reported again.
    public init(
        _ name: String = "email", from: Mailbox, server: SMTPServer, limits: ChannelLimits = ChannelLimits(),
        connections: Int = 4, timeout: Duration = .seconds(600), timer: any Clock<Duration> = ContinuousClock(),
        onRefusal: @escaping @Sendable (RefusedRecipient) -> Void = { _ in }
    ) {
        self.name = name
        self.from = from
        self.server = server
        self.limits = limits
        self.timeout = timeout
        self.timer = timer
        self.connections = AsyncSemaphore(permits: max(1, connections))
        self.onRefusal = onRefusal
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
        switch SMTPJudgement(transcript, recipients: recipients.count, server: server.host) {
        case .whole(let verdict): return verdict
        case .each(let fates):
            let answers = zip(recipients, fates).map { (address: $0, fate: $1) }
            let to = message.to[0].address
            let verdict = ledger.withLock { $0.settle(answers, to: to, of: part.key, server: server.host) }
            for case (let address, .refused(let answer)) in answers {
                onRefusal(RefusedRecipient(address: address, answer: answer, to: to, key: part.key))
            }
            return verdict
        }
    }

    private func transcript(of session: SMTPSession) async -> SMTPTranscript {
        if case .cancelled = await connections.acquireUnlessCancelled() {
            return SMTPTranscript(ending: .cancelled)
        }
        let deadline = Deadline(after: timeout, on: timer)
        let watchdog = Task {
            // It is cancelled when the session is over, and then there is nothing to do.
            do { try await deadline.wait() } catch { return }
            session.abort(.timedOut(timeout))
        }
        defer { watchdog.cancel() }
        return await callbackValue {
            // The permit is for the connection, which QUIT may hold open behind the answer.
            session.start($0) { [connections] in connections.release() }
        } onCancel: {
            session.abort(.cancelled)
        }
    }
}
#endif
