public import WharfCore

/// A way to send messages, such as e-mail, SMS or a chat.
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
/// A ``ChannelDestination`` connects a channel to an outbox and applies its limits. A conforming
/// type keeps these laws, which `ChannelLaws` in `WharfMessagingLaws` checks:
///
/// - A part with the verdict `.delivered` has arrived once, unchanged, at its address. A part with
///   any other verdict has not arrived, unless the answer was lost.
/// - The receiver gets the same content for a part on each attempt, with its idempotency key if the
///   channel can carry one. Different parts have different keys.
/// - A temporary failure is `.retry`, `.rateLimited` or `.offline`. A permanent failure is
///   `.rejected`.
/// - A body of exactly the limit's length is delivered.
public protocol MessageChannel: Sendable {
    /// The name of the channel, under which recipients list their addresses.
    ///
    /// Entries of the outbox store it, so it must not change between versions of an app.
    var name: String { get }

    /// The lengths and the rate that the channel accepts.
    var limits: ChannelLimits { get }

    /// Delivers a part, and returns once the outcome is known.
    ///
    /// - Parameter part: a part within the channel's limits.
    func deliver(_ part: MessagePart) async -> Delivery.Verdict
}

/// A message to one recipient, or a part of it, as one channel sends it.
public struct MessagePart: Hashable, Sendable {
    /// The title; empty for none.
    public var title: String
    /// The plain text.
    public var body: String
    /// Additional values by their names, as in ``Message/attributes``.
    public var attributes: [String: String] = [:]
    /// HTML, attachments and further recipients, for e-mail channels.
    public var email = EmailContent()
    /// The display name of the recipient; empty for none.
    public var name: String
    /// The address of the recipient on this channel.
    public var address: String
    /// The idempotency key: equal on each attempt, and unique to this part.
    public var key: IdempotencyKey
    /// The time when the message was enqueued in the outbox.
    public var sentAt: WallTime
    /// The account of the outbox entry; nil if it has none.
    public var account: Account?

    /// Creates a part.
    public init(
        title: String = "", body: String, name: String = "", address: String, key: IdempotencyKey, sentAt: WallTime
    ) {
        self.title = title
        self.body = body
        self.name = name
        self.address = address
        self.key = key
        self.sentAt = sentAt
    }
}
