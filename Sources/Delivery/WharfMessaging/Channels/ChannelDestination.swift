internal import Synchronization
public import WharfCore

/// The destination of an outbox that delivers messages by a channel.
///
/// It shortens or splits each message to fit the channel's limits, and throttles the parts to the
/// channel's rate.
///
/// A delivered part is not sent again if a later part of its message fails. The destination
/// remembers this in memory for 1,024 unfinished messages. After a kill the parts of a message may
/// be sent again, with the same idempotency keys.
public final class ChannelDestination: Destination {
    public let name: String
    public let kinds: Set<String> = [MessagePayload.kind.name]
    private let channel: any MessageChannel
    private let throttle: Throttle?
    private let expiry: Duration?
    private let clock: any WallClock
    // Invariant: a part is counted only after the channel has said `.delivered`. A kill or a lost
    // answer may repeat a part, and never drops one.
    private let taken = Mutex(DeliveredParts())

    /// Creates the destination of a channel.
    ///
    /// - Parameters:
    ///   - bound: the longest time that a part waits here for the channel's rate. If the wait would
    ///     be longer, the message goes back into the outbox.
    ///   - expiry: the age at which this channel rejects a message, so that `.first(of:)` tries the
    ///     next channel. If it is nil, the outbox alone decides. The age is checked only when an
    ///     attempt begins. A message that waits for a backoff or for the network is rejected at its
    ///     next attempt.
    ///   - timer: the clock of the rate limit.
    ///   - clock: the clock that gives the age of a message.
    public init(
        _ channel: any MessageChannel, waitingAtMost bound: Duration = .seconds(30),
        givingUpAfter expiry: Duration? = nil, timer: any Clock<Duration> = ContinuousClock(),
        clock: any WallClock = .system
    ) {
        self.channel = channel
        self.expiry = expiry
        self.clock = clock
        name = channel.name
        throttle = channel.limits.rate.map { Throttle($0, waitingAtMost: bound, on: timer) }
    }

    public func deliver(_ entry: OutboxEntry) async -> Delivery {
        if let expiry, clock.now() - entry.enqueuedAt >= expiry {
            let message =
                "\(name) did not deliver the message within \(expiry); send it again, or raise `givingUpAfter`"
            return Delivery(.rejected(DeliveryFailure(.exhausted, message: message)))
        }
        do {
            return Delivery(await deliver(try parts(of: entry), of: entry.key))
        } catch {
            // Neither kind of failure is retried: the same bytes would fail in the same way.
            let code: DeliveryFailure.Code = error.code == .unreadable ? .unreadable : .rejected
            return Delivery(.rejected(DeliveryFailure(code, message: error.message)))
        }
    }

    private func parts(of entry: OutboxEntry) throws(MessagingError) -> [MessagePart] {
        let payload = try MessagePayload(entry)
        guard let address = payload.addresses[name] else {
            let known = payload.addresses.keys.sorted().joined(separator: ", ")
            throw MessagingError(
                .noAddress,
                message: "the message has addresses for \(known), but none for \(name); discard it for \(name)")
        }
        // The cut depends on message and limits alone. So each attempt makes the same parts, and
        // the number in `taken` still fits them.
        let texts = try channel.limits.parts(of: payload.message)
        let email = payload.message.email
        return texts.enumerated().map { index, text in
            // Two channels may lead to one provider. With equal keys the provider would drop the
            // second channel's part as a duplicate. The name comes last because it may contain
            // dots.
            let key = "\(entry.key.text).\(index + 1)of\(texts.count).\(name)"
            var part = MessagePart(
                title: text.title, body: text.body, name: payload.name, address: address, key: IdempotencyKey(key),
                sentAt: entry.enqueuedAt)
            part.attributes = payload.message.attributes
            part.email = index == 0 ? email : email.ofLaterParts
            part.account = entry.account
            return part
        }
    }

    private func deliver(_ parts: [MessagePart], of key: IdempotencyKey) async -> Delivery.Verdict {
        for index in parts.indices.dropFirst(taken.withLock { $0.count(of: key) }) {
            // Each part takes its own time from the rate limit, since the receiver counts parts and
            // not messages.
            if let pause = await throttle?.pass() {
                let failure = DeliveryFailure(
                    .rateLimited, message: "\(name) has reached its rate limit; the rest is sent after a pause")
                return .rateLimited(failure, after: pause).behind(index, of: parts.count)
            }
            let verdict = await channel.deliver(parts[index])
            // Parts go in order. A later part without its beginning would be unreadable.
            guard case .delivered = verdict else { return verdict.behind(index, of: parts.count) }
            taken.withLock { $0.add(key, of: parts.count) }
        }
        return .delivered
    }
}

extension Delivery.Verdict {
    /// The same verdict, with the number of sent parts in its message.
    fileprivate func behind(_ sent: Int, of count: Int) -> Self {
        func described(_ failure: DeliveryFailure) -> DeliveryFailure {
            guard count > 1 else { return failure }
            return DeliveryFailure(
                failure.code, message: "\(sent) of \(count) parts were sent; \(failure.message)", status: failure.status
            )
        }
        return switch self {
        case .delivered: self
        case .retry(let failure, let after): .retry(described(failure), after: after)
        case .rateLimited(let failure, let after): .rateLimited(described(failure), after: after)
        case .offline(let failure): .offline(described(failure))
        case .needsAuthentication(let failure): .needsAuthentication(described(failure))
        case .conflict(let failure, let theirs): .conflict(described(failure), theirs: theirs)
        case .rejected(let failure): .rejected(described(failure))
        }
    }
}
