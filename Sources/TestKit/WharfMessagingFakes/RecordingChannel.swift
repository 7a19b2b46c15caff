internal import Synchronization
public import WharfCore
public import WharfFakes
public import WharfMessaging

/// A channel for tests, which records parts instead of sending them.
///
/// ```swift
/// let pigeon = RecordingChannel("pigeon")
/// let outbox = OutboxEngine(store: MemoryWriteStore(), destinations: [ChannelDestination(pigeon)])
/// …
/// #expect(pigeon.delivered.map(\.body) == ["At noon?"])
/// ```
public final class RecordingChannel: MessageChannel {
    private struct State {
        var attempts: [MessagePart] = []
        var delivered: [MessagePart] = []
        var answer: @Sendable (MessagePart) -> Delivery.Verdict = { _ in .delivered }
        var gate: Gate?
    }

    public let name: String
    public let limits: ChannelLimits
    // `delivered` contains parts of `attempts` only, in the order of their verdicts.
    private let state = Mutex(State())

    /// Creates a channel, which at first answers `.delivered` to each part.
    public init(_ name: String, limits: ChannelLimits = ChannelLimits()) {
        self.name = name
        self.limits = limits
    }

    /// The parts that the channel has answered with `.delivered`, in order.
    public var delivered: [MessagePart] { state.withLock { $0.delivered } }

    /// All parts that the channel was asked to deliver, in order.
    public var attempts: [MessagePart] { state.withLock { $0.attempts } }

    /// Sets the function that gives the verdict on each part from now on.
    public func answer(_ answer: @escaping @Sendable (MessagePart) -> Delivery.Verdict) {
        state.withLock { $0.answer = answer }
    }

    /// Sets the verdict on each part from now on.
    public func answer(_ verdict: Delivery.Verdict) { answer { _ in verdict } }

    /// Makes each later delivery wait at a gate before its verdict; nil for no wait.
    public func hold(at gate: Gate?) { state.withLock { $0.gate = gate } }

    public func deliver(_ part: MessagePart) async -> Delivery.Verdict {
        let gate = state.withLock { state in
            state.attempts.append(part)
            return state.gate
        }
        await gate?.pass()
        return state.withLock { state in
            let verdict = state.answer(part)
            if verdict == .delivered { state.delivered.append(part) }
            return verdict
        }
    }
}
