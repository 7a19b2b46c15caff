internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// The commits of one account in order, from a version on.
///
/// ```swift
/// for await element in store.changes(of: account, since: version) {
///     switch element {
///     case .changes(let changes, let reached):           // read the keys whose versions are notifications
///         version = reached
///     case .everything(let reached):                     // read all that is shown
///         version = reached
///     }
/// }
/// ```
///
/// - A reader that has applied an element with version n knows every commit up to n.
/// - Elements that a slow reader has not read yet are joined into one of bounded size.
/// - A feed of one kind skips the commits that change other kinds only.
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

    package init(_ reader: Reader) { self.reader = reader }

    /// Passes the unread changes to `read`, without waiting. It does not call `read` if there are
    /// none.
    ///
    /// The own commits of a store are among them before the commit returns. A gap, which an
    /// iterator would fill from the log, is passed as ``Pending/everything(upTo:)``.
    ///
    /// Calls must not overlap. The first to end would clear the flag while the other still reads a
    /// change.
    package func takePending(_ read: (Pending) -> Void) { reader.takePending(read) }

    /// A cheap check for changes that are unread or still being read.
    ///
    /// ``takePending(_:)`` reads them.
    package var pendingFlag: PendingFlag { reader.flag }

    /// Waits until there may be changes, and does not take them. Returns false at the end.
    package func waitForMore() async -> Bool {
        var signals = reader.signals.makeAsyncIterator()
        return await signals.next(isolation: nil) != nil
    }

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
    /// The changes that a reader has not taken, for a reader that does not wait.
    package enum Pending: Sendable {
        /// These keys have changed, each last by the commit of this version.
        case changes([EntityKey: Change])
        /// Any key may have changed, up to this version of the account.
        ///
        /// The version is nil if the store could not be read, or if the outcome of a commit is
        /// unknown.
        case everything(upTo: StoreVersion?)
    }

    /// A flag that can be read without the lock of the reader.
    ///
    /// It is an object of its own because a reader has weak references. To retain such an object
    /// costs tens of nanoseconds.
    package final class PendingFlag: Sendable {
        private let value = Atomic(false)

        package var isSet: Bool { value.load(ordering: .acquiring) }

        fileprivate func set(_ isSet: Bool) { value.store(isSet, ordering: .releasing) }
    }

    /// Reads the changes of an account since a version; nil if there are none.
    ///
    /// The element describes one moment and reaches the account's version at that moment.
    public typealias Log = @Sendable (StoreVersion) async throws(StoreError) -> Element?

    /// One reader's position in the log of an account.
    package final class Reader: Sendable {
        fileprivate struct State {
            /// The reader knows, or learns from `pending`, every commit up to this version.
            ///
            /// nil for a reader that begins with the next report.
            var reached: StoreVersion?
            /// Invariant: it reaches `reached` and has at most `mostKeys` keys.
            var pending: Element?
            /// Whether the log has commits after `reached` that are not in `pending`.
            var isBehind: Bool
            /// Whether such commits may be there that were never reported.
            ///
            /// Invariant: a reader that is not behind is not doubtful.
            var isDoubtful: Bool
            /// Whether `lookAgain()` was called since the last read of the log began. That read may
            /// have missed the commit.
            var isAskedAgain = false
            /// The highest reported version. If a read of the log reaches less, the reader stays
            /// behind: that commit was made after the snapshot of the read.
            var reported = StoreVersion.none
            var isFinished = false
            /// The failed reads of the log since the last good one.
            var failures = 0
            /// Ends the pause before a failed read of the log is repeated.
            var retry: Task<Void, Never>?

            var isUnread: Bool { pending != nil || isBehind }
        }

        /// The kind of the reader's keys; nil for all kinds.
        let kind: String?
        let signals: AsyncStream<Void>
        private let signal: AsyncStream<Void>.Continuation
        // Invariant while the lock is free: if a change is unread, the flag is set.
        private let state: Mutex<State>
        /// Whether changes are unread or still being read, readable without the lock.
        ///
        /// It is set before the commit that it reports returns.
        fileprivate let flag = PendingFlag()
        /// The limit of keys in an element. A gap with more keys is answered by `everything`.
        private let mostKeys: Int
        private let log: Log
        private let timer: any Clock<Duration>
        private let onEnd: @Sendable () -> Void

        /// - Parameters:
        ///   - version: the version up to which the reader knows every commit; nil for a reader
        ///     from now on.
        ///   - now: where a reader from now on begins; nil for the next report.
        ///   - timer: the clock of the pauses before a failed read of the log is repeated.
        init(
            kind: String?, since version: StoreVersion?, now: StoreVersion?, log: @escaping Log,
            timer: any Clock<Duration>, onEnd: @escaping @Sendable () -> Void
        ) {
            self.kind = kind
            (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            // A reader from now on may be idle for its whole life, so it holds fewer keys. It can
            // read all that it shows again.
            mostKeys = version == nil ? 1_000 : 10_000
            let isBehind = version != nil
            state = Mutex(State(reached: version ?? now, isBehind: isBehind, isDoubtful: isBehind))
            flag.set(isBehind)
            self.log = log
            self.timer = timer
            self.onEnd = onEnd
        }

        /// Creates a reader from now on of changes that are in no store, and have no log.
        package convenience init() {
            self.init(
                kind: nil, since: nil, now: StoreVersion.none, log: { _ in nil }, timer: ContinuousClock(), onEnd: {})
        }

        deinit {
            state.withLock { $0.retry }?.cancel()
            onEnd()
        }

        /// Adds the commits in `(since, element.reached]`, with the changes of the reader's kind.
        package func tell(_ element: Element, since: StoreVersion) {
            let isNews = state.withLock { state in
                defer { flag.set(flag.isSet || state.isUnread) }
                // A repeated report, or one that a later commit has overtaken, has nothing new.
                guard element.reached > state.reported else { return false }
                state.reported = element.reached
                // A read of the log may have reached further than a commit that is reported late.
                if state.isBehind { return true }
                let reached = state.reached ?? since
                guard element.reached > reached else { return false }
                // A gap: a commit between `reached` and `since` was not reported, such as one of
                // another process. The log has it.
                guard since <= reached else {
                    state.isBehind = true
                    return true
                }
                // The element begins at or before `reached`, so the joined one has no gap.
                return state.join(element, after: reached, since: since, isOfKind: kind != nil, atMost: mostKeys)
            }
            // After the change is stored. A reader that wakes on the signal finds it; in the other
            // order it could find nothing and sleep again.
            if isNews { signal.yield() }
        }

        /// Makes a reader that is behind read the log again, as after a failed read.
        func wake() {
            // Other readers have no failed read to repeat.
            if state.withLock({ $0.isBehind }) { signal.yield() }
        }

        /// Makes the reader read the log again.
        func lookAgain() {
            state.withLock { state in
                (state.isBehind, state.isDoubtful, state.isAskedAgain) = (true, true, true)
                flag.set(true)
            }
            signal.yield()
        }

        func finish() {
            // Set before the signal ends. The reader then takes the pending element, and does not
            // read the log of a closed store.
            let retry = state.withLock { state in
                state.isFinished = true
                return state.retry.take()
            }
            retry?.cancel()
            signal.finish()
        }

        fileprivate func takePending(_ read: (Pending) -> Void) {
            guard let pending = state.withLock({ $0.takeAll() }) else { return }
            // Outside of the lock, because `read` may take other locks. The flag stays set, so that
            // no reader takes its old value for current meanwhile.
            read(pending)
            // A change that came during `read` keeps the flag.
            state.withLock { flag.set($0.isUnread) }
        }

        func take() async -> Element? {
            let (pending, gap) = state.withLock { state in
                let pending = state.pending.take()
                // Cleared before the log is read. Afterwards it would hide a call during the read.
                if pending == nil { state.isAskedAgain = false }
                flag.set(state.isUnread)
                return (pending, state.isBehind && !state.isFinished ? state.reached ?? StoreVersion.none : nil)
            }
            // First the reported changes: the log is read from `reached`, which is behind them.
            if let pending { return pending }
            guard let gap else { return nil }
            // The read runs in a task of its own. Otherwise a cancelled reader would miss the
            // commits that were made before its cancellation.
            let look = await Task { [log] () -> Result<Element?, StoreError> in
                do throws(StoreError) { return .success(try await log(gap)) } catch { return .failure(error) }
            }.value
            let found: Element?
            switch look {
            case .success(let element): found = element
            case .failure(let error):
                // The reader stays behind. A closed store ends it, and can't be read any more.
                if error.code != .closed { retryLater() }
                return nil
            }
            let (element, isBehind) = state.withLock { state in
                state.failures = 0
                let element = found.flatMap { state.element(of: $0, kind) }
                // While the reader is behind, `tell` leaves `reached` alone, so the log's answer
                // does not move it back.
                if let found { state.reached = found.reached }
                // A commit may have been reported after the snapshot of the read. The next round
                // reads it.
                state.isBehind = state.reported > (state.reached ?? StoreVersion.none) || state.isAskedAgain
                state.isDoubtful = state.isAskedAgain
                flag.set(state.isUnread)
                return (element, state.isBehind)
            }
            // The reader would wait for a signal otherwise, although the log has more.
            if element == nil, isBehind { signal.yield() }
            return element
        }

        /// Makes the reader read the log again after a pause.
        ///
        /// Without it, a reader of a quiet store would wait for the next commit.
        private func retryLater() {
            let last = state.withLock { state -> Task<Void, Never>? in
                if state.isFinished { return nil }
                state.failures += 1
                let pause = Backoff.store.bound(afterFailures: state.failures)
                defer {
                    // Weak: a pause must not keep a feed alive that has lost its last reference.
                    state.retry = Task { [weak self, timer] in
                        do { try await timer.sleep(for: pause) } catch { return }
                        self?.wake()
                    }
                }
                return state.retry.take()
            }
            // A read between two pauses has failed as well. One pause is enough.
            last?.cancel()
        }
    }
}

extension EntityFeed.Reader.State {
    /// Joins an element that begins at or before the reached version.
    ///
    /// - Returns: whether the reader has something to read.
    fileprivate mutating func join(
        _ element: EntityFeed.Element, after known: StoreVersion, since: StoreVersion, isOfKind: Bool,
        atMost limit: Int
    ) -> Bool {
        reached = element.reached
        guard case .changes(var changes, _) = element else {
            pending = .everything(reached: element.reached)
            return true
        }
        // Keys that the reader already knows are left out: an element may begin before the reached
        // version.
        if since < known { changes = changes.filter { $0.value.version > known } }
        switch pending.take() {
        case .changes(var all, _):
            all.merge(changes) { $1 }
            changes = all
        case .everything:
            pending = .everything(reached: element.reached)
            return true
        case nil:
            // The commit has changed other kinds only.
            if isOfKind, changes.isEmpty { return false }
        }
        pending =
            changes.count <= limit
            ? .changes(changes, reached: element.reached) : .everything(reached: element.reached)
        return true
    }

    /// Returns the element that a read of the log has for a reader of a kind; nil for none.
    fileprivate func element(of found: EntityFeed.Element, _ kind: String?) -> EntityFeed.Element? {
        // The log was read from its beginning, which a reader from now on has not asked for.
        guard reached != nil, case .changes(let changes, let version) = found else {
            return .everything(reached: found.reached)
        }
        guard let kind else { return found }
        let some = changes.filter { $0.key.kind == kind }
        return some.isEmpty ? nil : .changes(some, reached: version)
    }

    /// Takes all unread changes, and counts a gap as read.
    fileprivate mutating func takeAll() -> EntityFeed.Pending? {
        defer { (pending, isBehind, isDoubtful, isAskedAgain) = (nil, false, false, false) }
        if isBehind {
            // The caller reads everything, which is at least as new as the last report.
            let last = max(reached ?? StoreVersion.none, reported)
            if last > StoreVersion.none { reached = last }
            return .everything(upTo: isDoubtful ? nil : last)
        }
        switch pending {
        case .changes(let changes, _): return .changes(changes)
        case .everything(let version): return .everything(upTo: version)
        case nil: return nil
        }
    }
}
