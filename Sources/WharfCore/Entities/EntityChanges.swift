internal import Synchronization

/// What has changed in a store since the last element, for one reader.
///
/// What a slow reader misses is joined into one element, so it takes no more memory than its limit.
/// It ends when the store closes, or the task that reads is cancelled.
public struct EntityChanges: AsyncSequence, Sendable {
    public enum Element: Hashable, Sendable {
        /// These were put or removed.
        case keys(Set<EntityKey>)
        /// Any of them, or too many to name.
        case all
    }

    public typealias Failure = Never

    private let subscription: Subscription

    package init(_ subscription: Subscription) { self.subscription = subscription }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription
        fileprivate var signals: AsyncStream<Void>.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while true {
                if let element = subscription.take() { return element }
                guard await signals.next(isolation: actor) != nil else { return subscription.take() }
            }
        }
    }

    /// Reads the changes that were not read yet, without waiting. Not called if there are none.
    package func takePending(_ read: (Pending) -> Void) { subscription.take(read) }

    /// Whether there are changes to take, or ``takePending(_:)`` is still reading them: a cheap
    /// check.
    package var pendingFlag: PendingFlag { subscription.flag }

    /// An object of its own: to retain an object with weak references, as a subscription has, costs
    /// tens of nanoseconds.
    package final class PendingFlag: Sendable {
        private let value = Atomic(false)

        package var isSet: Bool { value.load(ordering: .acquiring) }

        fileprivate func set(_ isSet: Bool) { value.store(isSet, ordering: .releasing) }
    }

    /// Waits until there may be something to take, and leaves it there; false at the end.
    package func waitForMore() async -> Bool {
        var signals = subscription.signals.makeAsyncIterator()
        return await signals.next(isolation: nil) != nil
    }

    /// One reader at a time: two share what there is.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(subscription: subscription, signals: subscription.signals.makeAsyncIterator())
    }
}

extension EntityChanges {
    /// One reader's place in a store.
    /// Changes that were not read yet, with the version of each key's newest one.
    package enum Pending: Sendable {
        case keys([EntityKey: StoreVersion])
        /// Any of them, up to this version of the account; nil if the store could not be read.
        case all(StoreVersion?)

        package var element: Element {
            switch self {
            case .keys(let versions): .keys(Set(versions.keys))
            case .all: .all
            }
        }
    }

    package final class Subscription: Sendable {
        /// More keys than this are `all`.
        private static let mostKeys = 1_000

        fileprivate let signals: AsyncStream<Void>
        private let signal: AsyncStream<Void>.Continuation
        private let pending = Mutex<Pending?>(nil)
        /// Whether `pending` is anything, to be asked without the lock. Set before the commit that
        /// it tells of returns.
        fileprivate let flag = PendingFlag()
        private let onEnd: @Sendable () -> Void

        /// - Parameter onEnd: called when the last reader is gone.
        package init(onEnd: @escaping @Sendable () -> Void) {
            (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            self.onEnd = onEnd
        }

        deinit { onEnd() }

        package func add(_ element: Pending) {
            pending.withLock { pending in
                pending = pending.take().map { $0.joined(with: element, atMost: Self.mostKeys) } ?? element
                flag.set(true)
            }
            signal.yield()
        }

        package func finish() { signal.finish() }

        fileprivate func take() -> Element? {
            var taken: Element?
            take { taken = $0.element }
            return taken
        }

        fileprivate func take(_ read: (Pending) -> Void) {
            let taken = pending.withLock { pending in
                defer { pending = nil }
                return pending
            }
            guard let taken else { return }
            read(taken)
            pending.withLock { pending in
                if pending == nil { flag.set(false) }
            }
        }
    }
}

extension EntityChanges.Pending {
    fileprivate consuming func joined(with other: Self, atMost limit: Int) -> Self {
        switch (consume self, other) {
        case (.keys(var both), .keys(let others)):
            both.merge(others, uniquingKeysWith: max)
            return both.count <= limit ? .keys(both) : .all(both.values.max() ?? StoreVersion.none)
        case (.all(let version), .keys(let keys)), (.keys(let keys), .all(let version)):
            return .all(version.map { keys.values.reduce($0, max) })
        case (.all(let one), .all(let other)):
            guard let one, let other else { return .all(nil) }
            return .all(max(one, other))
        }
    }
}
