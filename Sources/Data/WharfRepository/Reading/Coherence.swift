internal import WharfCore
internal import WharfPrimitives

/// The connection of a cache to the store below it: news of changes, and looks.
struct Coherence<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Changes to the store, subscribed before anything is read.
    let store: [EntityChanges]
    /// Changes to the pending changes.
    ///
    /// Their versions are numbers of ``PendingChanges``.
    let pending: EntityChanges
    /// Returns the keys that changes touch, each with the newest version among them.
    let touched: @Sendable ([EntityKey: StoreVersion], ModelCache<Key, Value>) -> [Key: StoreVersion]
    /// Looks at a key in the store, and asks no other source.
    let look: @Sendable (Key) async -> Answer<Value>
    /// Looks at several keys in one step, and returns the answers in their order.
    ///
    /// nil if each key is a query of its own.
    var looks: (@Sendable ([Key]) async -> [Answer<Value>])?
    /// The hot cache, which answers without the model cache; nil if there is none.
    var hot: (cache: HotCache, text: @Sendable (Key) -> UTF8Key)?

    var subscriptions: [EntityChanges] { store + [pending] }

    func look(_ keys: [Key]) async -> [Answer<Value>] {
        if let looks { return await looks(keys) }
        var answers: [Answer<Value>] = []
        for key in keys { answers.append(await look(key)) }
        return answers
    }
}

extension ModelCache {
    /// Folds in the changes that the store and the pending changes have told of.
    ///
    /// Observed keys that have changed become unread.
    mutating func catchUp(_ coherence: Coherence<Key, Value>) {
        for changes in coherence.store {
            changes.takePending { note($0, coherence) { ReadMark(store: $0, pending: 0) } }
        }
        coherence.pending.takePending {
            note($0, coherence) { ReadMark(store: .none, pending: UInt64(clamping: $0.number)) }
        }
    }

    private mutating func note(
        _ changes: EntityChanges.Pending, _ coherence: Coherence<Key, Value>, _ mark: (StoreVersion) -> ReadMark
    ) {
        switch changes {
        case .keys(let versions):
            for (key, version) in coherence.touched(versions, self) { note(mark(version), of: key) }
        case .all(let version?):
            for key in Array(entries.keys) { note(mark(version), of: key) }
        case .all(nil):
            for key in Array(entries.keys) { doubt(key) }
        }
    }
}
