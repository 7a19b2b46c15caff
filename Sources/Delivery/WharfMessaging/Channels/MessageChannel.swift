public import WharfCore

/// A way to send messages: e-mail, short messages, a chat, a pigeon.
///
/// ```swift
/// struct Pigeon: MessageChannel {
///     let name = "pigeon"
///     let limits = ChannelLimits(title: TextLimit.none, body: TextLimit(300, .scalars), rate: RateLimit(2, per: .seconds(86_400)))
///     let loft: Loft
///
///     func deliver(_ part: MessagePart) async -> Delivery.Verdict {
///         await loft.release(part.body, to: part.address) ? .delivered : .offline(DeliveryFailure(.offline, message: "fog"))
///     }
/// }
/// ```
///
/// A ``ChannelDestination`` puts one into an outbox, and sees to its limits. To conform, hold these
/// laws (`ChannelLaws` in `WharfMessagingLaws` checks them):
///
/// - What is said to be delivered has arrived: once, at its address, as it was. What is not has
///   not, unless nobody can know.
/// - The same part is the same to the receiver on each attempt, with its key where the channel can
///   carry one; another part is another.
/// - What can be tried again is told apart from what can't ever be delivered.
/// - A text at the limit goes through.
public protocol MessageChannel: Sendable {
    /// Under which recipients have addresses. It lies in journals: it must not change from one
    /// version of an app to the next.
    var name: String { get }

    var limits: ChannelLimits { get }

    /// - Parameter part: within the limits.
    func deliver(_ part: MessagePart) async -> Delivery.Verdict
}

/// A message to one person, or a part of it, as one channel sends it.
public struct MessagePart: Hashable, Sendable {
    public var title: String
    public var body: String
    public var attributes: [String: String]
    /// HTML, attachments and further recipients, for channels of e-mail.
    public var email: EmailContent
    /// Of the recipient, as it is displayed; empty for none.
    public var name: String
    /// Of the recipient, on this channel.
    public var address: String
    /// The same on every attempt, and of no other part.
    public var key: IdempotencyKey
    /// When the message was sent: it got into the outbox then.
    public var sentAt: WallTime
    public var account: Account?

    public init(
        title: String = "", body: String, attributes: [String: String] = [:], email: EmailContent = EmailContent(),
        name: String = "", address: String, key: IdempotencyKey, sentAt: WallTime, account: Account? = nil
    ) {
        self.title = title
        self.body = body
        self.attributes = attributes
        self.email = email
        self.name = name
        self.address = address
        self.key = key
        self.sentAt = sentAt
        self.account = account
    }
}
