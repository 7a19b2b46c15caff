internal import Synchronization

/// The commits of one account in order, from a version on.
///
/// ```swift
/// for await element in store.changes(of: account, since: version) {
///     switch element {
///     case .changes(let changes, let reached):           // read the keys whose versions are news
///         version = reached
///     case .everything(let reached):                     // read all that is shown
///         version = reached
///     }
/// }
/// ```
///
/// - A reader that has applied an element with version n knows every commit up to n.
/// - Elements that a slow reader has not read yet are joined into one of bounded size.
/// - The feed ends when the store closes or the reading task is cancelled.
public struct EntityFeed: AsyncSequence, Sendable {
    /// The newest change of a key.
    public struct Change: Hashable, Sendable {
        /// The version of the commit that put the row or removed it.
        public var version: StoreVersion
        /// Whether the commit removed the key.
        ///
        /// It can be false for a removal if the app reports its changes to the store itself. The
        /// key's state then has no row.
        public var isRemoval: Bool

        /// Creates a change.
        public init(version: StoreVersion, isRemoval: Bool) {
            self.version = version
            self.isRemoval = isRemoval
        }
    }

    /// A step of the feed, from one version to a later one.
    public enum Element: Hashable, Sendable {
        /// Every key that has changed since the previous element, with its newest change.
        case changes([EntityKey: Change], reached: StoreVersion)
        /// Any key may have changed.
        ///
        /// The log does not reach back far enough, or it has too many changes.
        case everything(reached: StoreVersion)

        /// The version up to which the reader knows every commit.
        public var reached: StoreVersion {
            switch self {
            case .changes(_, let reached), .everything(let reached): reached
            }
        }
    }

    public typealias Failure = Never

    private let reader: Reader

    init(_ reader: Reader) { self.reader = reader }

    /// Reads the elements, and waits if there are none.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader
        fileprivate var signals: AsyncStream<Void>.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while true {
                if let element = await reader.take() { return element }
                // The end of the signals also ends a reader whose last read of the log has failed.
                guard await signals.next(isolation: actor) != nil else { return await reader.take() }
            }
        }
    }

    /// Creates an iterator. Use one at a time: two iterators share the elements.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader, signals: reader.signals.makeAsyncIterator())
    }
}

extension EntityFeed {
    /// Reads the changes of an account since a version; nil if there are none.
    ///
    /// The element describes one moment and reaches the account's version at that moment.
    public typealias Log = @Sendable (StoreVersion) async throws(StoreError) -> Element?

    /// One reader's position in the log of an account.
    final class Reader: Sendable {
        fileprivate struct State {
            /// The reader knows, or learns from `pending`, every commit up to this version.
            var reached: StoreVersion
            /// Invariant: it reaches `reached` and has at most `mostKeys` keys.
            var pending: Element?
            /// Whether the log has commits after `reached` that are not in `pending`.
            var isBehind = true
            /// The highest reported version. If a read of the log reaches less, the reader stays
            /// behind: that commit was made after the snapshot of the read.
            var told = StoreVersion.none
            var isFinished = false
        }

        /// The limit of keys in an element. A gap with more keys is answered by `everything`.
        private static let mostKeys = 10_000

        let signals: AsyncStream<Void>
        private let signal: AsyncStream<Void>.Continuation
        private let state: Mutex<State>
        private let log: Log
        private let onEnd: @Sendable () -> Void

        init(since version: StoreVersion, log: @escaping Log, onEnd: @escaping @Sendable () -> Void) {
            (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            state = Mutex(State(reached: version))
            self.log = log
            self.onEnd = onEnd
        }

        deinit { onEnd() }

        /// Adds the commits in `(since, element.reached]`.
        func tell(_ element: Element, since: StoreVersion) {
            state.withLock { state in
                guard element.reached > state.told else { return }
                state.told = element.reached
                // A read of the log may have reached further than a commit that is reported late.
                guard !state.isBehind, element.reached > state.reached else { return }
                // A gap: a commit between `reached` and `since` was not reported, such as one of
                // another process. The log has it.
                guard since <= state.reached else {
                    state.isBehind = true
                    return
                }
                state.join(element, atMost: Self.mostKeys)
            }
            signal.yield()
        }

        /// Makes a reader that is behind read the log again, as after a failed read.
        func wake() {
            if state.withLock({ $0.isBehind }) { signal.yield() }
        }

        /// Makes the reader read the log again.
        func lookAgain() {
            state.withLock { $0.isBehind = true }
            signal.yield()
        }

        func finish() {
            state.withLock { $0.isFinished = true }
            signal.finish()
        }

        func take() async -> Element? {
            let (pending, gap) = state.withLock { state in
                defer { state.pending = nil }
                return (state.pending, state.isBehind && !state.isFinished ? state.reached : nil)
            }
            if let pending { return pending }
            guard let gap else { return nil }
            // The read runs in a task of its own. Otherwise a cancelled reader would miss the
            // commits that were made before its cancellation.
            let look = await Task { [log] () -> Result<Element?, StoreError> in
                do throws(StoreError) { return .success(try await log(gap)) } catch { return .failure(error) }
            }.value
            guard case .success(let element) = look else { return nil }
            state.withLock { state in
                if let element { state.reached = element.reached }
                state.isBehind = state.told > state.reached
            }
            if element == nil, state.withLock({ $0.isBehind }) { signal.yield() }
            return element
        }
    }
}

extension EntityFeed.Reader.State {
    fileprivate mutating func join(_ element: EntityFeed.Element, atMost limit: Int) {
        switch (pending.take(), element) {
        case (.changes(var all, _), .changes(let changes, _)):
            all.merge(changes.filter { $0.value.version > reached }) { $1 }
            pending =
                all.count <= limit ? .changes(all, reached: element.reached) : .everything(reached: element.reached)
        case (.everything, _), (_, .everything):
            pending = .everything(reached: element.reached)
        case (nil, .changes(let changes, _)):
            pending =
                changes.count <= limit
                ? .changes(changes.filter { $0.value.version > reached }, reached: element.reached)
                : .everything(reached: element.reached)
        }
        reached = element.reached
    }
}
