internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// What is on its way to the service, by the text of its id; of what is shown already, the overlay.
final class PendingWrites: Sendable {
    struct Write: Sendable {
        let number: UInt64
        /// Its place among others: of those that wait in an outbox, that in which they are delivered.
        var order: UInt64
        /// nil for what is not shown before it is delivered.
        var overlay: Overlay?
        /// The model is not at the service yet.
        var isAddition: Bool
        let began: WallTime
        /// Of what the change was made on.
        var validator: String?
        /// nil for what goes straight to the service.
        var place: Place?

        /// Whether it was made on another, as far as its maker knew of that. What goes straight to the service is known.
        func isMade(on other: Write) -> Bool {
            guard validator == other.validator else { return false }
            return other.place.map { place?.behind.contains($0.name) == true } ?? true
        }
    }

    /// Where a write waits in an outbox.
    struct Place: Sendable {
        let entry: OutboxEntry.ID
        /// As which it is shown.
        let name: WaitingChange.Name
        /// See ``WaitingChange/chain``.
        let chain: String
        /// See ``WaitingChange/behind``.
        let behind: [WaitingChange.Name]
        let lane: String

        /// - Parameter change: nil where it can't be read.
        init(_ entry: OutboxEntry, _ change: WaitingChange?) {
            (self.entry, lane) = (entry.id, entry.lane)
            name = WaitingChange.Name(entry.id, change?.version)
            (chain, behind) = (change?.chain ?? entry.id.text, change?.behind ?? [])
        }
    }

    /// The changes that are shown over one model, at one moment.
    struct Shown: Sendable {
        /// The earliest first.
        var writes: [Write] = []
        /// How many changes there had been to what is shown: a later look has a greater number.
        var number: UInt64
        /// The number of the last of these that was about the model; 0 if no change is shown.
        var last: UInt64 = 0

        var isEmpty: Bool { writes.isEmpty }
    }

    /// All pending writes at one moment.
    struct State: Sendable {
        fileprivate var last: UInt64 = 0
        /// How many changes there were to what is shown.
        ///
        /// It rises in the same step as the writes change. So of two looks the one with the lower number
        /// never shows more.
        fileprivate(set) var number: UInt64 = 0
        /// By model with writes: the number of the last change to the value that is shown.
        fileprivate var told: [UTF8Key: UInt64] = [:]
        fileprivate var writes: [UTF8Key: [Write]] = [:]
        /// What was added lately, and when that was said: lists may not have it yet.
        fileprivate var added: [(id: UTF8Key, at: WallTime)] = []
        /// When a change was last delivered.
        fileprivate var lastDelivery: WallTime?

        fileprivate mutating func insert(_ write: Write, _ id: UTF8Key) {
            let before = writes[id]?.lastIndex { $0.order < write.order }
            writes[id, default: []].insert(write, at: before.map { $0 + 1 } ?? 0)
        }

        fileprivate mutating func remove(_ number: UInt64, _ id: UTF8Key) -> Write? {
            guard let index = writes[id]?.firstIndex(where: { $0.number == number }) else { return nil }
            let write = writes[id]?.remove(at: index)
            if writes[id]?.isEmpty == true { (writes[id], told[id]) = (nil, nil) }
            return write
        }

        /// Notes that another value of a model is shown from now on.
        fileprivate mutating func note(_ id: UTF8Key) -> UInt64 {
            number += 1
            if writes[id] != nil { told[id] = number }
            return number
        }

        func shown(_ id: String) -> Shown {
            let id = UTF8Key(id)
            let writes = writes[id, default: []].filter { $0.overlay != nil }
            return Shown(writes: writes, number: number, last: writes.isEmpty ? 0 : told[id] ?? 0)
        }

        /// Models that a list of this time may not have yet, in the order of their additions: on their way, or
        /// delivered since.
        func additions(since asOf: WallTime) -> [UTF8Key] {
            guard !added.isEmpty || !writes.isEmpty else { return [] }
            let shown = writes.flatMap { id, writes in
                writes.filter { $0.isAddition && $0.overlay != nil }.map { (id, $0.order) }
            }
            return added.filter { $0.at >= asOf }.map(\.id) + shown.sorted { $0.1 < $1.1 }.map(\.0)
        }
    }

    private static let mostAdded = 100

    private let state = Mutex(State())
    /// How many overlays there are: most reads need not look further.
    private let shown = Atomic(0)
    private let models: EntityChanges.Subscription
    private let lists: EntityChanges.Subscription
    private let pages: EntityChanges.Subscription
    /// Which models are shown otherwise.
    let changes: EntityChanges
    /// The same for lists.
    let listChanges: EntityChanges
    /// The same for pages of lists.
    let pageChanges: EntityChanges

    init() {
        models = EntityChanges.Subscription {}
        lists = EntityChanges.Subscription {}
        pages = EntityChanges.Subscription {}
        (changes, listChanges, pageChanges) = (EntityChanges(models), EntityChanges(lists), EntityChanges(pages))
    }

    var isEmpty: Bool { shown.load(ordering: .acquiring) == 0 }

    /// The changes that are shown over a model.
    func shown(_ id: String) -> Shown { state.withLock { $0.shown(id) } }

    /// All writes as they are now.
    var current: State { state.withLock { $0 } }

    /// Those of a model that wait in an outbox, the earliest first.
    func waiting(_ id: String) -> [Write] {
        state.withLock { $0.writes[UTF8Key(id), default: []].filter { $0.place != nil } }
    }

    /// Whether any change of it is on its way, shown or not.
    func hasWrite(_ id: String) -> Bool { state.withLock { $0.writes[UTF8Key(id)] != nil } }

    /// When a change was last delivered: what was said before may not know of it.
    var lastDelivery: WallTime? { state.withLock { $0.lastDelivery } }

    /// The service has taken a change.
    ///
    /// - Parameter id: of what it added.
    func delivered(at now: WallTime, added id: String?) {
        state.withLock { state in
            state.lastDelivery = now
            guard let id else { return }
            state.number += 1
            state.added.append((UTF8Key(id), now))
            if state.added.count > Self.mostAdded { state.added.removeFirst() }
        }
    }

    /// A place behind all that there are.
    func nextOrder() -> UInt64 {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Takes in a write, and shows it where it has an overlay.
    ///
    /// - Parameter order: nil for one behind all others.
    /// - Returns: its number.
    func begin(
        _ key: EntityKey, _ overlay: Overlay?, isAddition: Bool, at began: WallTime, validator: String?,
        place: Place? = nil, order: UInt64? = nil
    ) -> UInt64 {
        let id = UTF8Key(key.id)
        let (number, told) = state.withLock { state -> (UInt64, UInt64?) in
            state.last += 1
            let write = Write(
                number: state.last, order: order ?? state.last, overlay: overlay, isAddition: isAddition, began: began,
                validator: validator, place: place)
            state.insert(write, id)
            if overlay == nil { return (state.last, nil) }
            shown.add(1, ordering: .releasing)
            return (state.last, state.note(id))
        }
        if let told { tell(key, of: overlay, isAddition, at: told) }
        return number
    }

    /// Of what a write was made on, as far as the service's answers to earlier writes have not changed it.
    func validator(of number: UInt64, _ key: EntityKey) -> String? {
        state.withLock { $0.writes[UTF8Key(key.id)]?.first { $0.number == number }?.validator }
    }

    /// Ends a write: it is shown no longer.
    ///
    /// - Parameter validator: what the service has now where it took the write; those that wait and know of it were made on that.
    func end(_ number: UInt64, _ key: EntityKey, delivered validator: String?? = nil) {
        let id = UTF8Key(key.id)
        let ended = state.withLock { state -> (Write, UInt64)? in
            guard let ended = state.remove(number, id) else { return nil }
            if let validator, let writes = state.writes[id] {
                for later in writes.indices where writes[later].isMade(on: ended) {
                    state.writes[id]?[later].validator = validator
                }
            }
            if ended.overlay == nil { return nil }
            shown.subtract(1, ordering: .releasing)
            return (ended, state.note(id))
        }
        if let (ended, told) = ended { tell(key, of: ended.overlay, ended.isAddition, at: told) }
    }

    /// What a write changes has another id now: it is shown over that, in its place among others.
    func move(_ number: UInt64, from old: EntityKey, to new: EntityKey, _ overlay: Overlay?) {
        let (from, to) = (UTF8Key(old.id), UTF8Key(new.id))
        let moved = state.withLock { state -> (Write, UInt64)? in
            guard var write = state.remove(number, from) else { return nil }
            // Whether it is shown was decided when it began.
            if write.overlay != nil { write.overlay = overlay ?? write.overlay }
            state.insert(write, to)
            if write.overlay == nil { return nil }
            _ = state.note(from)
            return (write, state.note(to))
        }
        guard let (write, told) = moved else { return }
        for key in [old, new] { tell(key, of: write.overlay, write.isAddition, at: told) }
    }

    /// Others come before it, or behind it, than was thought.
    func reorder(_ number: UInt64, _ key: EntityKey, to order: UInt64) {
        let id = UTF8Key(key.id)
        let moved = state.withLock { state -> (Write, UInt64)? in
            let before = state.writes[id]?.map(\.number)
            guard var write = state.remove(number, id) else { return nil }
            write.order = order
            state.insert(write, id)
            if write.overlay == nil || state.writes[id]?.map(\.number) == before { return nil }
            return (write, state.note(id))
        }
        if let (write, told) = moved { tell(key, of: write.overlay, write.isAddition, at: told) }
    }

    /// A write was made anew, on something else.
    func rebase(
        _ number: UInt64, _ key: EntityKey, _ overlay: Overlay?, _ validator: String?, _ isAddition: Bool,
        _ place: Place
    ) {
        reshow(number, key, overlay, place) { ($0.validator, $0.isAddition) = (validator, isAddition) }
    }

    /// Replaces what is shown of a write that was rewritten. Later writes are made on it.
    func reshow(
        _ number: UInt64, _ key: EntityKey, _ overlay: Overlay?, _ place: Place,
        _ change: (inout Write) -> Void = { _ in }
    ) {
        let id = UTF8Key(key.id)
        let told = state.withLock { state -> UInt64? in
            guard let index = state.writes[id]?.firstIndex(where: { $0.number == number }),
                var write = state.writes[id]?[index]
            else { return nil }
            change(&write)
            write.place = place
            let isShown = write.overlay != nil && overlay != nil
            if isShown { write.overlay = overlay }
            state.writes[id]?[index] = write
            return isShown ? state.note(id) : nil
        }
        if let told { tell(key, of: overlay, false, at: told) }
    }

    private func tell(_ key: EntityKey, of overlay: Overlay?, _ isAddition: Bool, at number: UInt64) {
        let version = StoreVersion(Int64(clamping: number))
        models.add(.keys([key: version]))
        // A list can't tell that it should have what it does not have now.
        let isAnyList = isAddition || overlay?.isDeletion == true
        for list in [lists, pages] { list.add(isAnyList ? .all(version) : .keys([key: version])) }
    }
}
