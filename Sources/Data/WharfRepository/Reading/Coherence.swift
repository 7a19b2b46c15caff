internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The connection of a cache to the store below it: news of changes, and looks.
struct Coherence<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Changes to the store, subscribed before anything is read.
    let store: [EntityFeed]
    /// Changes to the pending changes.
    ///
    /// Their versions are numbers of ``PendingChanges``.
    let pending: EntityFeed
    /// Returns the keys that changes touch, each with the newest version among them.
    let touched: @Sendable ([EntityKey: StoreVersion], ModelCache<Key, Value>) -> [Key: StoreVersion]
    /// Looks at a key in the store, and asks no other source.
    let look: @Sendable (Key) async -> MarkedAnswer<Value>
    /// The clock of the pauses before a failed look is repeated.
    let timer: any Clock<Duration>
    /// Looks at several keys in one step, and returns the answers in their order.
    ///
    /// nil if each key is a query of its own.
    var looks: (@Sendable ([Key]) async -> [MarkedAnswer<Value>])?
    /// The hot cache, which answers without the model cache; nil if there is none.
    var hot: (cache: HotCache, text: @Sendable (Key) -> UTF8Key)?

    var feeds: [EntityFeed] { store + [pending] }

    func look(_ keys: [Key]) async -> [MarkedAnswer<Value>] {
        if let looks { return await looks(keys) }
        var answers: [MarkedAnswer<Value>] = []
        for key in keys { answers.append(await look(key)) }
        return answers
    }
}

extension ModelCache {
    /// Folds in the changes that the store and the pending changes have told of.
    ///
    /// Observed keys that have changed become unread.
    mutating func catchUp(_ coherence: Coherence<Key, Value>) {
        // Called under the cache's lock, and takes that of each reader inside. Reports take a
        // reader's lock last.
        for feed in coherence.store {
            feed.takePending { note($0, coherence) { ReadMark(store: $0, pending: 0) } }
        }
        coherence.pending.takePending {
            note($0, coherence) { ReadMark(store: .none, pending: UInt64(clamping: $0.number)) }
        }
    }

    private mutating func note(
        _ pending: EntityFeed.Pending, _ coherence: Coherence<Key, Value>, _ mark: (StoreVersion) -> ReadMark
    ) {
        switch pending {
        case .changes(let changes):
            for (key, version) in coherence.touched(changes.mapValues(\.version), self) {
                note(mark(version), of: key)
            }
        case .everything(let version?):
            for key in Array(entries.keys) { note(mark(version), of: key) }
        // The store could not be read, so no version tells whether a key has changed.
        case .everything(nil):
            for key in Array(entries.keys) { doubt(key) }
        }
    }
}
