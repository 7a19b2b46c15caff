internal import Synchronization
public import WharfCore
public import WharfFakes
public import WharfMessaging

/// A channel that sends nothing: it keeps what it is given, for tests of who is told what.
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
    private let state = Mutex(State())

    public init(_ name: String, limits: ChannelLimits = ChannelLimits()) {
        self.name = name
        self.limits = limits
    }

    /// What it took, in order.
    public var delivered: [MessagePart] { state.withLock { $0.delivered } }

    /// What it was asked to deliver, in order.
    public var attempts: [MessagePart] { state.withLock { $0.attempts } }

    /// What it answers from now on.
    public func answer(_ answer: @escaping @Sendable (MessagePart) -> Delivery.Verdict) {
        state.withLock { $0.answer = answer }
    }

    public func answer(_ verdict: Delivery.Verdict) { answer { _ in verdict } }

    /// What it is asked waits there before it is answered; nil for none.
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
