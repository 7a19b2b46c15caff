internal import WharfCore

/// How far a look at a key has seen: a version of the store, and a number of the pending changes.
///
/// Invariant of all users: the mark of one key only rises. So a look that is applied twice or late
/// has no effect.
struct ReadMark: Hashable, Sendable {
    var store: StoreVersion
    /// See ``PendingChanges/State/number``; 0 if there are no pending changes.
    var pending: UInt64

    static let none = ReadMark(store: .none, pending: 0)

    /// Whether this look has seen all that the other one has seen.
    ///
    /// Two looks may each have seen something that the other has not. Then neither covers the
    /// other.
    func covers(_ other: ReadMark) -> Bool { store >= other.store && pending >= other.pending }

    mutating func join(_ other: ReadMark) {
        store = max(store, other.store)
        pending = max(pending, other.pending)
    }
}

/// An answer to a request, and how far it has seen.
struct MarkedAnswer<Value: Sendable>: Sendable {
    var snapshot: Snapshot<Value>
    /// nil for an answer that says nothing about the store: it failed, or its value is in no store.
    var mark: ReadMark?
    /// The version of the key's own row, or of its removal.
    ///
    /// nil if the store was not looked at.
    var version: StoreVersion?
    /// Whether the store kept something newer: the answer is for its caller only.
    var isOvertaken = false
    /// Whether its commit to the store is open until the answer lands.
    ///
    /// See ``ModelCache/startCommit(of:)``.
    var hasOpenCommit = false

    /// The call of the source that a look has begun; nil if no request can continue it.
    var descent: Descent<Value>?

    /// Whether it is a failed look at the store that may succeed later.
    ///
    /// A closed store can't be read any more.
    var isRepeatable: Bool {
        guard mark == nil, let error = snapshot.error, error.code == .storeFailed else { return false }
        return (error.cause as? StoreError)?.code != .closed
    }

    init(
        _ snapshot: Snapshot<Value>, mark: ReadMark? = nil, version: StoreVersion? = nil, isOvertaken: Bool = false
    ) {
        self.snapshot = snapshot
        self.mark = mark
        self.version = version
        self.isOvertaken = isOvertaken
    }
}
