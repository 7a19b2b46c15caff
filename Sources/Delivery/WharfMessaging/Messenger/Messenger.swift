public import WharfCore
public import WharfStorage

/// Sends messages to recipients, by the channels of each recipient's preference.
///
/// ```swift
/// let outbox = OutboxEngine(store: store, destinations: [ChannelDestination(email), ChannelDestination(sms)])
/// let messenger = Messenger(outbox: outbox)
/// let sent = try await messenger.send(Message(title: "Lunch", body: "At noon?"), to: ada, cesar)       // on the disk at return
/// ```
///
/// The message to each recipient is one entry of the outbox. Its destinations have the names of the
/// channels. To add a channel, register a destination with the outbox and add addresses to
/// recipients.
public struct Messenger: Sendable {
    private let outbox: any Outbox
    private let deliveryClass: DeliveryClass
    private let clock: any WallClock

    /// Creates a messenger.
    ///
    /// - Parameters:
    ///   - outbox: the outbox of the account that sends the messages.
    ///   - deliveryClass: the rule by which an undelivered message may be dropped.
    ///   - clock: the clock for the time when a message is enqueued.
    public init(outbox: any Outbox, deliveryClass: DeliveryClass = .durable, clock: any WallClock = .system) {
        self.outbox = outbox
        self.deliveryClass = deliveryClass
        self.clock = clock
    }

    /// Enqueues a message for each recipient.
    ///
    /// The operation is atomic. It returns when all entries are on the disk, and stores none if it
    /// throws.
    ///
    /// - Throws: ``MessagingError/Code/noAddress`` if a recipient has an address for none of the
    ///   channels of its preference that are not optional, ``MessagingError/Code/notStored``.
    @discardableResult
    public func send(
        _ message: Message, to recipients: [Recipient]
    ) async throws(MessagingError) -> [SentMessage] {
        let now = clock.now()
        var entries: [OutboxEntry] = []
        // All entries are made before any is stored. An error for the last recipient then sends
        // nothing to the first.
        for recipient in recipients { entries.append(try entry(message, to: recipient, at: now)) }
        guard !entries.isEmpty else { return [] }
        // One commit: a kill leaves either all recipients in the outbox or none.
        do { try await outbox.enqueue(entries, changing: []) } catch {
            throw MessagingError(
                .notStored, message: "the outbox did not store the message: \(error.message); send it again",
                cause: error)
        }
        return zip(entries, recipients).map { SentMessage(entry: $0.id, recipient: $1.id) }
    }

    /// Enqueues a message for each recipient.
    @discardableResult
    public func send(
        _ message: Message, to recipients: Recipient...
    ) async throws(MessagingError) -> [SentMessage] {
        try await send(message, to: recipients)
    }

    /// Waits until the channels of a message have settled, and returns their states.
    ///
    /// A dead letter counts as settled.
    ///
    /// - Parameter waitsForOptional: whether to wait for optional channels too
    ///   (``Recipient/optional``). An optional channel may never settle, for example if the outbox
    ///   has no destination of its name.
    /// - Throws: ``MessagingError/Code/notStored`` if the outbox can't be read.
    public func outcome(
        of sent: SentMessage, waitsForOptional: Bool = false
    ) async throws(MessagingError) -> MessageOutcome {
        do throws(StoreError) {
            let entry = try await outbox.store.record(of: sent.entry)?.entry
            // An entry that is gone, or that is not a message, has no optional channels.
            let targets = entry?.targets ?? []
            let optional = entry.flatMap { try? MessagePayload($0) }?.optional ?? []
            if waitsForOptional || optional.isEmpty {
                let channels = try await outbox.outcome(of: sent.entry)
                return MessageOutcome(sent, channels: channels, targets: targets, optional: optional)
            }
            let required = Set(ChannelPlan(targets, optional: optional).required.joined())
            let channels = try await outbox.outcome(of: sent.entry, settling: required)
            return MessageOutcome(sent, channels: channels, targets: targets, optional: optional)
        } catch {
            throw MessagingError(
                .notStored, message: "the outbox can't be read for the outcome: \(error.message); ask again",
                cause: error)
        }
    }

    private func entry(
        _ message: Message, to recipient: Recipient, at now: WallTime
    ) throws(MessagingError) -> OutboxEntry {
        let targets = recipient.reachable
        let optional = ChannelPlan(recipient.preference, optional: recipient.optional).optional
        guard targets.contains(where: { !optional.contains($0.destination) }) else {
            let required = recipient.preference.map(\.destination).filter { !optional.contains($0) }
            let preferred = required.isEmpty ? "each is optional" : required.joined(separator: ", ")
            let known = recipient.addresses.keys.sorted().joined(separator: ", ")
            throw MessagingError(
                .noAddress,
                message:
                    "\(recipient.id) has no address for a channel of the preference (\(preferred)), "
                    + "\(known.isEmpty ? "and none for others" : "only for \(known)"); add an address, or a channel to the "
                    + "preference"
            )
        }
        let names = Set(targets.map(\.destination))
        let payload = MessagePayload(
            message, name: recipient.name, addresses: recipient.addresses.filter { names.contains($0.key) },
            optional: optional.intersection(names))
        var entry = OutboxEntry(
            id: outbox.newID(), lane: "message/\(recipient.id)", kind: payload.kind, payload: try payload.encoded(),
            targets: targets, enqueuedAt: now)
        entry.account = outbox.account
        entry.deliveryClass = deliveryClass
        return entry
    }
}
