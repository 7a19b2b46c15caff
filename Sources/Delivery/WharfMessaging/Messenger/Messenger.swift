public import WharfCore

/// Sends messages, and does not know how they go: that is the channels' business, and which one
/// takes which message is the recipient's.
///
/// ```swift
/// let outbox = OutboxEngine(store: store, destinations: [ChannelDestination(email), ChannelDestination(sms)])
/// let messenger = Messenger(outbox: outbox)
/// let sent = try await messenger.send(Message(title: "Lunch", body: "At noon?"), to: ada, cesar)       // on the disk at return
/// ```
///
/// Each recipient is an entry of the outbox, whose destinations are the channels by their names. A
/// new channel is another destination there, and an address in recipients: nothing here changes for
/// it.
public struct Messenger: Sendable {
    private let outbox: any Outbox
    private let deliveryClass: DeliveryClass
    private let clock: any WallClock

    /// - Parameters:
    ///   - outbox: of the account whose messages they are.
    ///   - deliveryClass: what may happen to a message before it is delivered.
    public init(outbox: any Outbox, deliveryClass: DeliveryClass = .durable, clock: any WallClock = .system) {
        self.outbox = outbox
        self.deliveryClass = deliveryClass
        self.clock = clock
    }

    /// Returns when the message to each of them is on the disk: to all, or to none where it throws.
    ///
    /// - Throws: ``MessagingError/Code/noAddress`` where one of them can't be reached by any
    ///   channel that is preferred, ``MessagingError/Code/notStored``.
    @discardableResult
    public func send(
        _ message: Message, to recipients: [Recipient]
    ) async throws(MessagingError) -> [SentMessage] {
        let now = clock.now()
        var entries: [OutboxEntry] = []
        for recipient in recipients { entries.append(try entry(message, to: recipient, at: now)) }
        guard !entries.isEmpty else { return [] }
        do { try await outbox.enqueue(entries, changing: []) } catch {
            throw MessagingError(.notStored, message: "expected to keep the message: \(error.message)", cause: error)
        }
        return zip(entries, recipients).map { SentMessage(entry: $0.id, recipient: $1.id) }
    }

    @discardableResult
    public func send(
        _ message: Message, to recipients: Recipient...
    ) async throws(MessagingError) -> [SentMessage] {
        try await send(message, to: recipients)
    }

    /// Waits until the channels of a message have settled; dead letters count.
    ///
    /// - Parameter waitsForOptional: whether to wait for optional channels too
    ///   (``Recipient/optional``). They may take for ever, such as one that no destination of the
    ///   outbox delivers.
    /// - Throws: ``MessagingError/Code/notStored`` where the outbox can't be read.
    public func outcome(
        of sent: SentMessage, waitsForOptional: Bool = false
    ) async throws(MessagingError) -> MessageOutcome {
        do throws(StoreError) {
            let entry = try await outbox.store.record(of: sent.entry)?.entry
            // An entry that is gone, or that is no message, has no optional channels.
            let targets = entry?.targets ?? []
            let optional = entry.flatMap { try? MessagePayload($0) }?.optional ?? []
            if waitsForOptional || optional.isEmpty {
                let channels = try await outbox.outcome(of: sent.entry)
                return MessageOutcome(sent, channels: channels, targets: targets, optional: optional)
            }
            let required = Set(ChannelWays(targets, optional: optional).required.joined())
            let channels = try await outbox.outcome(of: sent.entry, settling: required)
            return MessageOutcome(sent, channels: channels, targets: targets, optional: optional)
        } catch {
            throw MessagingError(.notStored, message: "expected to read the outbox: \(error.message)", cause: error)
        }
    }

    private func entry(
        _ message: Message, to recipient: Recipient, at now: WallTime
    ) throws(MessagingError) -> OutboxEntry {
        let targets = recipient.reachable
        let optional = ChannelWays(recipient.preference, optional: recipient.optional).optional
        guard targets.contains(where: { !optional.contains($0.destination) }) else {
            let required = recipient.preference.map(\.destination).filter { !optional.contains($0) }
            let preferred = required.isEmpty ? "each is optional" : required.joined(separator: ", ")
            let known = recipient.addresses.keys.sorted().joined(separator: ", ")
            throw MessagingError(
                .noAddress,
                message:
                    "expected an address of \(recipient.id) for one of the channels that are preferred (\(preferred)), found "
                    + "\(known.isEmpty ? "none" : "those for \(known)"); add an address, or a channel to the preference"
            )
        }
        let names = Set(targets.map(\.destination))
        let payload = MessagePayload(
            message, name: recipient.name, addresses: recipient.addresses.filter { names.contains($0.key) },
            optional: optional.intersection(names))
        return OutboxEntry(
            id: outbox.newID(), account: outbox.account, lane: "message/\(recipient.id)", kind: payload.kind,
            payload: try payload.encoded(), deliveryClass: deliveryClass, targets: targets, enqueuedAt: now)
    }
}
