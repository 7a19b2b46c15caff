/// Yields each element to any number of `AsyncStream`s.
///
/// - Order: each stream gets the elements in the order of the calls, even if two threads yield
///   concurrently. One of them then delivers the element of the other.
/// - Back-pressure: none. Each stream has a buffer with the policy of its subscription.
package final class StreamFanOut<Element: Sendable>: Sendable {
    package typealias Continuation = AsyncStream<Element>.Continuation

    private struct Delivery: Sendable {
        /// Nil for the end.
        let element: Element?
        /// Readers that subscribed later do not get it.
        let readers: ClosedRange<UInt64>
    }

    private struct State {
        // Invariants while the lock is free: at most one thread delivers. The deliveries are in the
        // order of the changes to `latest`. Ids of readers are never reused.
        var latest: Element?
        var readers: [UInt64: Continuation] = [:]
        var lastReader: UInt64 = 0
        var isFinished = false
        /// Invariant: empty unless `isDelivering`.
        var deliveries: [Delivery] = []
        /// Whether a thread yields outside of the lock. It also takes the deliveries that are added
        /// meanwhile.
        var isDelivering = false

        /// Adds a delivery.
        ///
        /// - Returns: false if a thread is already delivering. It takes this delivery too.
        mutating func begin(_ delivery: Delivery) -> Bool {
            deliveries.append(delivery)
            defer { isDelivering = true }
            return !isDelivering
        }

        mutating func next() -> Batch? {
            // The test and the reset of `isDelivering` are one step. Otherwise a delivery that is
            // added in between would have no thread.
            guard !deliveries.isEmpty else {
                isDelivering = false
                return nil
            }
            // Readers are looked up when the delivery is taken: a stream that ended meanwhile is
            // skipped.
            let delivery = deliveries.removeFirst()
            // In the order of the subscriptions.
            let receivers = readers.filter { delivery.readers.contains($0.key) }.sorted { $0.key < $1.key }
            // The end is the last delivery, so the readers are forgotten here. A stream that is
            // finished before it has its termination handler never runs that handler.
            if delivery.element == nil { readers = [:] }
            return (delivery.element, receivers.map(\.value))
        }
    }

    private typealias Batch = (element: Element?, continuations: [Continuation])

    private let monitor: Monitor<State>

    /// Creates a fan-out.
    ///
    /// - Parameter latest: the value of ``latest`` before the first element.
    package init(latest: Element? = nil) { monitor = Monitor(State(latest: latest)) }

    /// The last element. A stream that was started before this read gets all later ones.
    package var latest: Element? { monitor.read { $0.latest } }

    /// The number of streams with a reader.
    package var readers: Int { monitor.read { $0.readers.count } }

    /// Whether there is no reader. An element then need not be made.
    package var isEmpty: Bool { readers == 0 }

    /// Starts a stream. After ``finish()`` the stream ends at once.
    ///
    /// - Parameter beginsWithLatest: whether its first element is ``latest``.
    package func subscribe(
        bufferingPolicy: Continuation.BufferingPolicy = .unbounded, beginsWithLatest: Bool = false
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: bufferingPolicy)
        let (id, delivers) = monitor.withLock { state, _ -> (UInt64?, Bool) in
            // No delivery follows the end, so a reader that is added now would wait forever.
            guard !state.isFinished else { return (nil, false) }
            state.lastReader += 1
            let id = state.lastReader
            // The reader is registered in the same step that reads `latest`. An element between the
            // two would reach neither.
            state.readers[id] = continuation
            guard beginsWithLatest, let latest = state.latest else { return (id, false) }
            // A delivery like the others, so that no later element overtakes it.
            return (id, state.begin(Delivery(element: latest, readers: id...id)))
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        // The handler may run inside of `yield` or `finish`, so these are called outside of the
        // lock. It is weak because the fan-out holds the continuation.
        continuation.onTermination = { [weak self] _ in
            // The continuation is returned and so released outside of the lock, because it may be
            // the last reference to its stream.
            _ = self?.monitor.withLock { state, _ in state.readers.removeValue(forKey: id) }
        }
        if delivers { deliver() }
        return stream
    }

    /// Yields an element to all streams that have started.
    ///
    /// - Parameter isWanted: decides by ``latest``, in one step with the yield. It must be pure.
    package func yield(_ element: Element, if isWanted: (Element?) -> Bool = { _ in true }) {
        // Release the previous element outside of the lock, because its deinit may yield the next
        // one.
        var other: Element? = element
        let delivers = monitor.withLock { state, _ in
            // An element after the end would change `latest`, although no stream can get it.
            guard !state.isFinished, isWanted(state.latest) else { return false }
            swap(&state.latest, &other)
            // Without a reader there is no work, and `1...lastReader` would trap before the first
            // reader.
            if state.readers.isEmpty { return false }
            return state.begin(Delivery(element: element, readers: 1...state.lastReader))
        }
        if delivers { deliver() }
    }

    /// Ends all streams after their last elements.
    package func finish() {
        let delivers = monitor.withLock { state, _ in
            guard !state.isFinished else { return false }
            state.isFinished = true
            if state.readers.isEmpty { return false }
            return state.begin(Delivery(element: nil, readers: 1...state.lastReader))
        }
        if delivers { deliver() }
    }

    /// Yields outside of the lock, until no delivery is left.
    ///
    /// Only one thread delivers at a time. A second one could overtake the first outside of the
    /// lock.
    private func deliver() {
        while let (element, continuations) = monitor.withLock({ state, _ in state.next() }) {
            // A termination handler may call back into this fan-out. It only appends a delivery
            // then, which this loop takes next.
            for continuation in continuations {
                if let element { continuation.yield(element) } else { continuation.finish() }
            }
        }
    }
}
