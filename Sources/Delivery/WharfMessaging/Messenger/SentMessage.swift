public import WharfCore
public import WharfStorage

/// A reference to a message that was enqueued for one recipient.
public struct SentMessage: Hashable, Sendable {
    /// The id of the entry in the outbox.
    public var entry: OutboxEntry.ID
    /// The id of the recipient.
    public var recipient: Recipient.ID

    /// Creates a reference.
    public init(entry: OutboxEntry.ID, recipient: Recipient.ID) {
        self.entry = entry
        self.recipient = recipient
    }
}

/// The states of a message to one recipient, channel by channel.
public struct MessageOutcome: Hashable, Sendable {
    /// The message.
    public var sent: SentMessage
    /// The states by the names of channels.
    ///
    /// It is nil if the outbox no longer has the message, as each delivery was settled before.
    public var channels: [String: OutboxRecord.State]?
    private let ways: ChannelPlan

    /// Creates an outcome.
    ///
    /// - Parameters:
    ///   - targets: the channels with their conditions; empty if no channel is a fallback.
    ///   - optional: the channels whose failure does not fail the message.
    public init(
        _ sent: SentMessage, channels: [String: OutboxRecord.State]?, targets: [OutboxEntry.Target] = [],
        optional: Set<String> = []
    ) {
        self.sent = sent
        self.channels = channels
        let alone = (channels ?? [:]).keys.sorted().map { OutboxEntry.Target($0) }
        ways = ChannelPlan(targets.isEmpty ? alone : targets, optional: optional)
    }

    /// The channels that have delivered it, in the order of their names.
    public var delivered: [String] { (channels ?? [:]).filter { $0.value == .delivered }.map(\.key).sorted() }

    /// Whether each way that is not optional has delivered the message.
    ///
    /// A channel and its fallbacks are one way, of which one channel has to deliver.
    ///
    /// It is nil if the outbox no longer has the message. The outbox keeps each message with a
    /// channel that has failed.
    public var isDelivered: Bool? {
        guard let channels else { return nil }
        return ways.required.allSatisfy { $0.contains { channels[$0] == .delivered } }
    }

    /// The failures of channels that have given up the message, by their names.
    public var failures: [String: DeliveryFailure] {
        (channels ?? [:]).compactMapValues { state in
            if case .dead(_, let failure) = state { failure } else { nil }
        }
    }

    /// The failures of optional channels, by their names.
    ///
    /// They are among ``failures`` as well, and are dead letters in the outbox.
    public var optionalFailures: [String: DeliveryFailure] {
        failures.filter { ways.optional.contains($0.key) }
    }
}
