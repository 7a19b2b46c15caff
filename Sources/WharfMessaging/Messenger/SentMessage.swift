public import WharfCore

/// A message that is on its way to one person.
public struct SentMessage: Hashable, Sendable {
    /// In the outbox.
    public var entry: OutboxEntry.ID
    public var recipient: Recipient.ID

    public init(entry: OutboxEntry.ID, recipient: Recipient.ID) {
        self.entry = entry
        self.recipient = recipient
    }
}

/// What has become of a message to one person, channel by channel.
public struct MessageOutcome: Hashable, Sendable {
    public var sent: SentMessage
    /// By the names of channels. nil for what the outbox does not have any more: each of its
    /// deliveries was settled before.
    public var channels: [String: OutboxRecord.State]?

    public init(_ sent: SentMessage, channels: [String: OutboxRecord.State]?) {
        self.sent = sent
        self.channels = channels
    }

    /// The channels that have delivered it, in the order of their names.
    public var delivered: [String] { (channels ?? [:]).filter { $0.value == .delivered }.map(\.key).sorted() }

    /// Why channels have given it up, by their names.
    public var failures: [String: DeliveryFailure] {
        (channels ?? [:]).compactMapValues { state in
            if case .dead(_, let failure) = state { failure } else { nil }
        }
    }
}
