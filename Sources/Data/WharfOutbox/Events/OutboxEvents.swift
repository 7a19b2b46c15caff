internal import Synchronization
internal import WharfPrimitives

/// The events of an outbox engine, for one reader.
///
/// The sequence begins when ``OutboxEngine/events`` is read, and ends when the engine is closed. A
/// reader that falls behind loses the oldest events, and gets their number as
/// ``OutboxEvent/missed(_:)``.
public struct OutboxEvents: AsyncSequence, Sendable {
    public typealias Element = OutboxEvent
    public typealias Failure = Never

    let buffer: EventBuffer

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let buffer: EventBuffer

        public mutating func next(isolation actor: isolated (any Actor)?) async -> OutboxEvent? { await buffer.next() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer) }
}

/// A bounded buffer of the events that one reader has not read.
final class EventBuffer: Sendable {
    private struct State {
        var events: [OutboxEvent] = []
        var missed = 0
        var hasEnded = false

        mutating func take() -> OutboxEvent? {
            // The gap is reported in its place: before the first event after it.
            if missed > 0 {
                defer { missed = 0 }
                return .missed(missed)
            }
            return events.isEmpty ? nil : events.removeFirst()
        }
    }

    private enum ReadResult: Sendable {
        /// The next event; nil at the end.
        case event(OutboxEvent?)
        case waits(WaitTicket)
    }

    private let limit: Int
    private let monitor = Monitor(State())

    init(limit: Int) { self.limit = limit }

    func add(_ event: OutboxEvent) {
        monitor.withLock { [limit] state, effects in
            effects.resumeAll()
            state.events.append(event)
            guard state.events.count > limit else { return }
            // Dropping half of the buffer at once keeps the cost of an event constant. Dropping one
            // at a time would move the whole array for each event.
            let excess = state.events.count - limit / 2
            state.events.removeFirst(excess)
            state.missed += excess
        }
    }

    func end() {
        monitor.withLock { state, effects in
            state.hasEnded = true
            effects.resumeAll()
        }
    }

    func next() async -> OutboxEvent? {
        while true {
            switch look() {
            case .event(let event): return event
            case .waits(let ticket): guard await monitor.waitUnlessCancelled(for: ticket) else { return nil }
            }
        }
    }

    private func look() -> ReadResult {
        monitor.withLock { state, effects in
            // Buffered events come before the end, so a reader sees the last settlements of a
            // closed engine.
            if let event = state.take() { return .event(event) }
            return state.hasEnded || Task.isCancelled ? .event(nil) : .waits(effects.reserve())
        }
    }
}

/// The readers of an engine's events. Each event is broadcast to all of them.
final class EventReaders: Sendable {
    private final class WeakBuffer: Sendable {
        // The reader owns its buffer. A strong reference would keep the buffers of all readers that
        // left.
        weak let buffer: EventBuffer?
        init(_ buffer: EventBuffer) { self.buffer = buffer }
    }

    private struct State {
        var buffers: [WeakBuffer] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private static let limit = 1_024

    /// Returns a sequence that begins now and is dropped when its reader releases it.
    func subscribe() -> OutboxEvents {
        let buffer = EventBuffer(limit: Self.limit)
        let hasEnded = state.withLock { state in
            // The release of a buffer calls nothing back, so the places of departed readers are
            // removed here.
            state.buffers.removeAll { $0.buffer == nil }
            state.buffers.append(WeakBuffer(buffer))
            return state.hasEnded
        }
        // An end before this subscription has not seen the buffer, and its reader would wait
        // forever.
        if hasEnded { buffer.end() }
        return OutboxEvents(buffer: buffer)
    }

    func tell(_ events: [OutboxEvent]) { tell { events } }

    /// - Parameter events: called only if there is a reader.
    func tell(_ events: () -> [OutboxEvent]) {
        // The buffers are held strongly for this call alone, and events are added outside of the
        // lock.
        let buffers = state.withLock(\.buffers).compactMap(\.buffer)
        if buffers.isEmpty { return }
        for event in events() { for buffer in buffers { buffer.add(event) } }
    }

    func end() {
        let buffers = state.withLock { state in
            state.hasEnded = true
            return state.buffers
        }
        for place in buffers { place.buffer?.end() }
    }
}
