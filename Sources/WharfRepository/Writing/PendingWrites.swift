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

    private struct State {
        var last: UInt64 = 0
        var writes: [UTF8Key: [Write]] = [:]
        /// What was added lately, and when that was said: lists may not have it yet.
        var added: [(id: UTF8Key, at: WallTime)] = []
        /// When a change was last delivered.
        var lastDelivery: WallTime?

        mutating func insert(_ write: Write, _ id: UTF8Key) {
            let before = writes[id]?.lastIndex { $0.order < write.order }
            writes[id, default: []].insert(write, at: before.map { $0 + 1 } ?? 0)
        }

        mutating func remove(_ number: UInt64, _ id: UTF8Key) -> Write? {
            guard let index = writes[id]?.firstIndex(where: { $0.number == number }) else { return nil }
            let write = writes[id]?.remove(at: index)
            if writes[id]?.isEmpty == true { writes[id] = nil }
            return write
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

    /// The overlays of a model, the earliest first.
    func shown(_ id: String) -> [Write] {
        isEmpty ? [] : state.withLock { $0.writes[UTF8Key(id), default: []].filter { $0.overlay != nil } }
    }

    /// The same for all models.
    var allShown: [UTF8Key: [Write]] {
        isEmpty ? [:] : state.withLock { $0.writes.mapValues { $0.filter { $0.overlay != nil } } }
    }

    /// Those of a model that wait in an outbox, the earliest first.
    func waiting(_ id: String) -> [Write] {
        state.withLock { $0.writes[UTF8Key(id), default: []].filter { $0.place != nil } }
    }

    /// Whether any change of it is on its way, shown or not.
    func hasWrite(_ id: String) -> Bool { state.withLock { $0.writes[UTF8Key(id)] != nil } }

    /// Models that a list of this time may not have yet, in the order of their additions: on their way, or delivered since.
    func additions(since asOf: WallTime) -> [UTF8Key] {
        state.withLock { state in
            guard !state.added.isEmpty || !isEmpty else { return [] }
            let shown = state.writes.flatMap { id, writes in
                writes.filter { $0.isAddition && $0.overlay != nil }.map { (id, $0.order) }
            }
            return state.added.filter { $0.at >= asOf }.map(\.id) + shown.sorted { $0.1 < $1.1 }.map(\.0)
        }
    }

    /// When a change was last delivered: what was said before may not know of it.
    var lastDelivery: WallTime? { state.withLock { $0.lastDelivery } }

    /// The service has taken a change.
    ///
    /// - Parameter id: of what it added.
    func delivered(at now: WallTime, added id: String?) {
        state.withLock { state in
            state.lastDelivery = now
            guard let id else { return }
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
        let number = state.withLock { state in
            state.last += 1
            let write = Write(
                number: state.last, order: order ?? state.last, overlay: overlay, isAddition: isAddition, began: began,
                validator: validator, place: place)
            state.insert(write, UTF8Key(key.id))
            return state.last
        }
        if overlay != nil {
            shown.add(1, ordering: .releasing)
            tell(key, of: overlay, isAddition)
        }
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
        let ended = state.withLock { state -> Write? in
            guard let ended = state.remove(number, id) else { return nil }
            if let validator, let writes = state.writes[id] {
                for later in writes.indices where writes[later].isMade(on: ended) {
                    state.writes[id]?[later].validator = validator
                }
            }
            return ended
        }
        guard let ended, ended.overlay != nil else { return }
        shown.subtract(1, ordering: .releasing)
        tell(key, of: ended.overlay, ended.isAddition)
    }

    /// What a write changes has another id now: it is shown over that, in its place among others.
    func move(_ number: UInt64, from old: EntityKey, to new: EntityKey, _ overlay: Overlay?) {
        let (from, to) = (UTF8Key(old.id), UTF8Key(new.id))
        let moved = state.withLock { state -> Write? in
            guard var write = state.remove(number, from) else { return nil }
            // Whether it is shown was decided when it began.
            if write.overlay != nil { write.overlay = overlay ?? write.overlay }
            state.insert(write, to)
            return write
        }
        guard let moved, moved.overlay != nil else { return }
        for key in [old, new] { tell(key, of: moved.overlay, moved.isAddition) }
    }

    /// Others come before it, or behind it, than was thought.
    func reorder(_ number: UInt64, _ key: EntityKey, to order: UInt64) {
        let id = UTF8Key(key.id)
        let moved = state.withLock { state -> Write? in
            let before = state.writes[id]?.map(\.number)
            guard var write = state.remove(number, id) else { return nil }
            write.order = order
            state.insert(write, id)
            return state.writes[id]?.map(\.number) == before ? nil : write
        }
        guard let moved, moved.overlay != nil else { return }
        tell(key, of: moved.overlay, moved.isAddition)
    }

    /// A write was made anew, on something else.
    func rebase(
        _ number: UInt64, _ key: EntityKey, _ overlay: Overlay?, _ validator: String?, _ isAddition: Bool,
        _ place: Place
    ) {
        change(number, key) { ($0.validator, $0.isAddition) = (validator, isAddition) }
        reshow(number, key, overlay, place)
    }

    /// It was made anew; shows that in its place, where it is shown. Who makes another from now on knows of it.
    func reshow(_ number: UInt64, _ key: EntityKey, _ overlay: Overlay?, _ place: Place) {
        var isShown = false
        change(number, key) { write in
            write.place = place
            isShown = write.overlay != nil && overlay != nil
            if isShown { write.overlay = overlay }
        }
        if isShown { tell(key, of: overlay, false) }
    }

    private func change(_ number: UInt64, _ key: EntityKey, _ body: (inout Write) -> Void) {
        let id = UTF8Key(key.id)
        state.withLock { state in
            guard let index = state.writes[id]?.firstIndex(where: { $0.number == number }),
                var write = state.writes[id]?[index]
            else { return }
            body(&write)
            state.writes[id]?[index] = write
        }
    }

    private func tell(_ key: EntityKey, of overlay: Overlay?, _ isAddition: Bool) {
        models.add(.keys([key]))
        // A list can't tell that it should have what it does not have now.
        for list in [lists, pages] { list.add(isAddition || overlay?.isDeletion == true ? .all : .keys([key])) }
    }
}
