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

/// The states of a message to one person, channel by channel.
public struct MessageOutcome: Hashable, Sendable {
    public var sent: SentMessage
    /// The states by the names of channels.
    ///
    /// nil if the outbox does not have the message any more: each delivery was settled before.
    public var channels: [String: OutboxRecord.State]?
    private let ways: ChannelWays

    /// Creates an outcome.
    ///
    /// - Parameters:
    ///   - targets: the channels, and which is a fallback of which; none if each stands alone.
    ///   - optional: the channels whose failure does not fail the message.
    public init(
        _ sent: SentMessage, channels: [String: OutboxRecord.State]?, targets: [OutboxEntry.Target] = [],
        optional: Set<String> = []
    ) {
        self.sent = sent
        self.channels = channels
        let alone = (channels ?? [:]).keys.sorted().map { OutboxEntry.Target($0) }
        ways = ChannelWays(targets.isEmpty ? alone : targets, optional: optional)
    }

    /// The channels that have delivered it, in the order of their names.
    public var delivered: [String] { (channels ?? [:]).filter { $0.value == .delivered }.map(\.key).sorted() }

    /// Whether each way that is not optional has delivered the message.
    ///
    /// A channel and its fallbacks are one way, of which one channel has to deliver.
    ///
    /// nil if the outbox does not have the message any more. It keeps each message with a channel
    /// that has failed.
    public var isDelivered: Bool? {
        guard let channels else { return nil }
        return ways.required.allSatisfy { $0.contains { channels[$0] == .delivered } }
    }

    /// Why channels have given it up, by their names.
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
