internal import Synchronization

/// The changes of one account and kind in a store, for one reader.
///
/// Changes that a slow reader has not read yet are joined into one element, so its memory is
/// bounded. The sequence ends when the store closes or the reading task is cancelled.
public struct EntityChanges: AsyncSequence, Sendable {
    /// The changes since the previous element.
    public enum Element: Hashable, Sendable {
        /// These keys were put or removed.
        case keys(Set<EntityKey>)
        /// Any key may have changed, or more keys changed than an element can name.
        case all
    }

    public typealias Failure = Never

    private let subscription: Subscription

    package init(_ subscription: Subscription) { self.subscription = subscription }

    /// Reads the changes, and waits if there are none.
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

    /// Passes the unread changes to `read`, without waiting. It does not call `read` if there are
    /// none.
    package func takePending(_ read: (Pending) -> Void) { subscription.take(read) }

    /// A cheap check for changes that are unread or still being read.
    ///
    /// ``takePending(_:)`` reads them.
    package var pendingFlag: PendingFlag { subscription.flag }

    /// A flag that can be read without the lock of the subscription.
    ///
    /// It is an object of its own because a subscription has weak references. To retain such an
    /// object costs tens of nanoseconds.
    package final class PendingFlag: Sendable {
        private let value = Atomic(false)

        package var isSet: Bool { value.load(ordering: .acquiring) }

        fileprivate func set(_ isSet: Bool) { value.store(isSet, ordering: .releasing) }
    }

    /// Waits until there may be changes, and does not take them. Returns false at the end.
    package func waitForMore() async -> Bool {
        var signals = subscription.signals.makeAsyncIterator()
        return await signals.next(isolation: nil) != nil
    }

    /// Creates an iterator. Use one at a time: two iterators share the elements.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(subscription: subscription, signals: subscription.signals.makeAsyncIterator())
    }
}

extension EntityChanges {
    /// The unread changes, with the newest version of each key.
    package enum Pending: Sendable {
        /// These keys have changed, each last by the commit of this version.
        case keys([EntityKey: StoreVersion])
        /// Any key may have changed, up to this version of the account.
        ///
        /// The version is nil if the store could not be read.
        case all(StoreVersion?)

        package var element: Element {
            switch self {
            case .keys(let versions): .keys(Set(versions.keys))
            case .all: .all
            }
        }
    }

    /// One reader's position in a store.
    package final class Subscription: Sendable {
        /// The limit of keys in an element. A change of more keys is `all`.
        private static let mostKeys = 1_000

        fileprivate let signals: AsyncStream<Void>
        private let signal: AsyncStream<Void>.Continuation
        private let pending = Mutex<Pending?>(nil)
        /// Whether `pending` has a value, readable without the lock.
        ///
        /// It is set before the commit that it reports returns.
        fileprivate let flag = PendingFlag()
        private let onEnd: @Sendable () -> Void

        /// Creates a subscription.
        ///
        /// - Parameter onEnd: called when the last reference to the subscription is released.
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
