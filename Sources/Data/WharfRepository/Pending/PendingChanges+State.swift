internal import WharfCore
internal import WharfPrimitives

extension PendingChanges {
    /// All pending changes at one moment, as a fold over ``PendingEvent``.
    ///
    /// | event        | unknown         | waiting, sending               | decided | dead    |
    /// |--------------|-----------------|--------------------------------|---------|---------|
    /// | recorded     | as recorded     | takes place, id and content    | takes place | as recorded |
    /// | recorded dead| dead            | dead                           | dead    | dead    |
    /// | begun        | waiting, behind all | takes id and content       | waiting | waiting |
    /// | sending      |                 | sending                        |         |         |
    /// | answered     |                 | waiting, with the failure      |         |         |
    /// | conflicted   |                 | takes theirs                   |         |         |
    /// | merged       |                 | takes the content              |         |         |
    /// | decided      |                 | decided; gone if in no journal |         |         |
    /// | received     |                 | decided                        |         |         |
    /// | settled      |                 | gone                           | gone    | gone    |
    ///
    /// An event that comes twice has no effect the second time. Records of different entries may
    /// come in any order, with the same result. The place of a change is that of its entry in the
    /// journal.
    ///
    /// A value that has become known is kept if a record lacks it. A failure of this process is in
    /// no record before the settlement is. An id that the journal could not put into an entry is
    /// never in a record.
    struct State: Sendable {
        typealias Change = PendingChange<Model>

        /// The pending states of all models, and how many times one of them has changed.
        struct PublishedStates: Sendable {
            var states: [Model.ID: PendingState] = [:]
            var number: UInt64 = 0
        }

        /// The models whose shown value has changed since they were last taken.
        struct ChangedModels: Sendable {
            var keys: [EntityKey: StoreVersion] = [:]
            /// Whether any list may have changed: a list does not know which members it lacks.
            var isOfAnyList = false
        }

        private static var mostAdded: Int { 100 }

        // Invariants: `models` has each entry of `changes` once, in the order of the places;
        // `deadCount` and `shownCount` count `changes`; `number` and `published.number` only rise.
        private(set) var changes: [OutboxEntry.ID: Change] = [:]
        /// The changes of each model, in the order of their places.
        private var models: [UTF8Key: [OutboxEntry.ID]] = [:]
        /// The number of the last change to the shown value of each model that has changes.
        private var shownAt: [UTF8Key: UInt64] = [:]
        /// The number of changes to the shown values.
        ///
        /// It rises in the same step as the changes do. So of two looks, the one with the lower
        /// number has never seen more.
        private(set) var number: UInt64 = 0
        private(set) var deadCount = 0
        private(set) var shownCount = 0
        private(set) var published = PublishedStates()
        var changed = ChangedModels()
        /// Models that were added lately, each with the time. Lists may not have them yet.
        private var added: [(id: UTF8Key, at: WallTime)] = []
        /// When a change was last delivered. An answer from before that may not know of it.
        private(set) var lastDelivery: WallTime?
        /// The failure of the last attempt of this process.
        ///
        /// nil for no attempt, `.some(nil)` for one that reached the service.
        private var attempted: DeliveryFailure??
        /// The earliest record with a failure that holds up all changes.
        ///
        /// Invariant after each event: its change is open.
        private var recorded: (entry: OutboxEntry.ID, place: Change.Position, failure: DeliveryFailure)?
        private var lastPlace: UInt64 = 0

        mutating func apply(_ event: PendingEvent<Model>) {
            // Compared at the end: if it changes, all waiting models have another pending state.
            let unreached = unreached
            switch event {
            case .recorded(let change): record(change)
            case .begun(let change): begin(change)
            case .sending(let entry): update(entry) { $0.phase = .sending }
            case .answered(let entry, let failure):
                update(entry) { ($0.phase, $0.failure) = (.waiting, failure) }
                attempted = .some(failure.holdsAll ? failure : nil)
            case .conflicted(let entry, let theirs): update(entry) { $0.theirs = theirs }
            case .merged(let entry, let content):
                update(entry) { ($0.content, $0.validator) = (content, content.validator) }
            case .decided(let entry, let failure, let taken, let now):
                attempted = .some(nil)
                decide(entry, failure, taken, at: now)
            case .received(let entry, let taken, let then): decide(entry, nil, taken, at: then)
            case .settled(let entry): replace(entry, with: nil)
            }
            // Another process has settled the change. Its failure must not be shown for the others
            // any longer: a process that does not deliver makes no attempt that replaces it.
            if let recorded, changes[recorded.entry]?.isOpen != true { self.recorded = earliestRecorded() }
            // Without open changes there is nothing to deliver, so an old failure must not hold for
            // the next change.
            if openCount == 0 { (attempted, recorded) = (nil, nil) }
            if self.unreached != unreached { tellAll() }
        }
    }
}

// MARK: Folding

extension PendingChanges.State {
    private mutating func record(_ new: Change) {
        if new.phase == .waiting, let place = new.place, let failure = new.failure, failure.holdsAll {
            let isFirst = if let recorded { place < recorded.place } else { true }
            if isFirst { recorded = (new.entry, place, failure) }
        }
        guard var known = changes[new.entry] else { return replace(new.entry, with: new) }
        switch (known.phase, new.phase) {
        // The journal has the last word: a dead letter is dead in every process.
        case (_, .dead):
            (known.phase, known.failure, known.place) = (.dead, new.failure, new.place)
            known.id = known.id ?? new.id
        // A record from before the settlement comes late. The decision of the service stays.
        case (.decided, _): known.place = new.place
        // A dead letter that is open in the journal again was retried.
        case (.dead, _): known = new
        default:
            known.place = new.place
            known.failure = known.failure ?? new.failure
            known.refresh(with: new)
        }
        replace(new.entry, with: known)
    }

    private func earliestRecorded() -> (entry: OutboxEntry.ID, place: Change.Position, failure: DeliveryFailure)? {
        var earliest: (entry: OutboxEntry.ID, place: Change.Position, failure: DeliveryFailure)?
        for change in changes.values where change.phase == .waiting {
            guard case .journal? = change.place, let place = change.place, let failure = change.failure,
                failure.holdsAll
            else { continue }
            if let earliest, earliest.place <= place { continue }
            earliest = (change.entry, place, failure)
        }
        return earliest
    }

    private mutating func begin(_ new: Change) {
        var begun = new
        if var known = changes[new.entry] {
            // A change that moves to another id or content keeps its place among the others.
            begun.place = known.place
            if known.isOpen {
                known.refresh(with: new)
                begun = known
            }
        } else {
            lastPlace += 1
            // Behind all places of the journal, until its own record is read.
            begun.place = .local(lastPlace)
        }
        replace(new.entry, with: begun)
    }

    private mutating func decide(
        _ entry: OutboxEntry.ID, _ failure: DeliveryFailure?, _ taken: PendingEvent<Model>.ServiceEffect?,
        at now: WallTime
    ) {
        // A second decision, or one after the settlement, must not count as another delivery.
        guard let change = changes[entry], change.isOpen else { return }
        if let taken {
            lastDelivery = max(lastDelivery ?? now, now)
            if let id = taken.added {
                number += 1
                added.append((UTF8Key(id), now))
                if added.count > Self.mostAdded { added.removeFirst() }
            }
            // A change whose maker knew of this one was made on the model that the service has now.
            for later in models[UTF8Key(change.key.id), default: []] where changes[later]?.isMade(on: change) == true {
                changes[later]?.validator = taken.validator
            }
        }
        var decided = change
        (decided.phase, decided.failure) = (.decided, failure)
        decided.assignedID = taken?.added.flatMap { UTF8Key($0) == UTF8Key(change.key.id) ? nil : $0 }
        // A local write is in no journal, so no settlement would remove it later.
        replace(entry, with: change.isLocal ? nil : decided)
    }

    /// Changes a pending change, if it is open.
    private mutating func update(_ entry: OutboxEntry.ID, _ body: (inout Change) -> Void) {
        guard var change = changes[entry], change.isOpen else { return }
        body(&change)
        replace(entry, with: change)
    }

    /// Replaces a change. Each change of ``changes`` goes through here, apart from a new validator.
    ///
    /// The indexes follow, and so do the shown value and the pending state of its model.
    private mutating func replace(_ entry: OutboxEntry.ID, with new: Change?) {
        let old = changes[entry]
        let isInPlace = old?.key == new?.key && old?.place == new?.place
        var indexes: (old: Int?, new: Int?)
        // Unlinked first, so that `link` does not compare the change with itself.
        if !isInPlace, let old { indexes.old = unlink(old) }
        changes[entry] = new
        if !isInPlace, let new { indexes.new = link(new) }
        deadCount += (new?.phase == .dead ? 1 : 0) - (old?.phase == .dead ? 1 : 0)
        let (wasShown, isShown) = (old?.isShown == true, new?.isShown == true)
        shownCount += (isShown ? 1 : 0) - (wasShown ? 1 : 0)
        // The shown value differs if a layer comes, goes, moves to another position or model, or
        // changes its content.
        if wasShown || isShown,
            wasShown != isShown || old?.key != new?.key || indexes.old != indexes.new
                || old?.content.overlay != new?.content.overlay
        {
            if let old { note(old) }
            if let new, new.key != old?.key || new.content.overlay != old?.content.overlay { note(new) }
        }
        if let old { forgetIfEmpty(old.key.id) }
        if let old { tell(old.id, UTF8Key(old.key.id)) }
        if let new, new.id != old?.id || old == nil { tell(new.id, UTF8Key(new.key.id)) }
    }

    /// Takes a change out of the index of its model.
    ///
    /// - Returns: its former position among the changes of the model.
    private mutating func unlink(_ change: Change) -> Int? {
        let id = UTF8Key(change.key.id)
        guard let index = models[id]?.firstIndex(of: change.entry) else { return nil }
        models[id]?.remove(at: index)
        return index
    }

    /// Forgets a model that has no changes left.
    ///
    /// Called at the end of a replacement only. A change that moves is unlinked for a moment, and
    /// the number of its model has to outlive that.
    private mutating func forgetIfEmpty(_ id: String) {
        let id = UTF8Key(id)
        if models[id]?.isEmpty == true { (models[id], shownAt[id]) = (nil, nil) }
    }

    private mutating func link(_ change: Change) -> Int {
        let id = UTF8Key(change.key.id)
        let entries = models[id, default: []]
        var index = entries.count
        // From the end, because most changes are the latest of their model.
        while index > 0, !precedes(entries[index - 1], change) { index -= 1 }
        models[id, default: []].insert(change.entry, at: index)
        return index
    }

    private func precedes(_ entry: OutboxEntry.ID, _ change: Change) -> Bool {
        guard let a = changes[entry]?.place, let b = change.place else { return true }
        return a < b
    }

    /// Notes that another value of the change's model is shown from now on.
    private mutating func note(_ change: Change) {
        number += 1
        let id = UTF8Key(change.key.id)
        if models[id] != nil { shownAt[id] = number }
        changed.keys[change.key] = StoreVersion(Int64(clamping: number))
        if change.content.isAddition || change.content.overlay?.isDeletion == true { changed.isOfAnyList = true }
    }

    // MARK: Pending states

    private mutating func tell(_ id: Model.ID?, _ key: UTF8Key) {
        guard let id else { return }
        let state = pendingState(key)
        // Equal states are no news, so observers are not woken for them.
        guard published.states[id] != state else { return }
        published.states[id] = state
        published.number += 1
    }

    private mutating func tellAll() {
        for (key, entries) in models {
            if let readable = entries.first(where: { changes[$0]?.id != nil }) { tell(changes[readable]?.id, key) }
        }
    }

    /// Returns the state of the change with the greatest rank.
    ///
    /// If several have that rank, it is the state of the earliest one.
    private func pendingState(_ key: UTF8Key) -> PendingState? {
        let unreached = unreached
        var most: (rank: Int, state: PendingState)?
        for entry in models[key, default: []] {
            guard let change = changes[entry], change.id != nil, let standing = change.standing(unreached) else {
                continue
            }
            // Greater, and not equal: of several changes with one rank the earliest counts.
            if standing.rank > most?.rank ?? -1 { most = standing }
        }
        return most?.state
    }

    /// The reason why no change is sent now.
    ///
    /// nil if the last attempt reached the service.
    private var unreached: DeliveryFailure? { attempted ?? recorded?.failure }
}

extension PendingChange {
    /// Takes the model's id and the content of an entry that may have been rewritten.
    fileprivate mutating func refresh(with new: Self) {
        // An entry that the journal could not rewrite keeps the old id for ever.
        let isMoved = new.key != key && !formerIDs.contains(new.key.id)
        if isMoved {
            formerIDs.insert(key.id)
            (key, id) = (new.key, new.id)
        }
        // The delivery of earlier changes may have moved the validator of this same version.
        let isSame = content.isSame(as: new.content)
        content = new.content
        if !isSame { validator = new.content.validator }
    }

}

// MARK: What follows from it

extension PendingChanges.State {
    /// The number of changes that are neither settled nor dead letters.
    ///
    /// A settlement counts when this process knows of it.
    var openCount: Int { changes.count - deadCount }

    /// The ids of the models that changes are shown over.
    var shownIDs: Set<UTF8Key> { Set(changes.values.lazy.filter(\.isShown).map { UTF8Key($0.key.id) }) }

    func shown(_ id: String) -> ShownChanges {
        let layers = layers(id, where: \.isShown)
        return ShownChanges(layers: layers, number: number, last: layers.isEmpty ? 0 : shownAt[UTF8Key(id)] ?? 0)
    }

    /// Returns the open changes of a model as layers, the earliest first.
    func layers(_ id: String, where isMeant: (Change) -> Bool = \.isOpen) -> [ShownChanges.Layer] {
        models[UTF8Key(id), default: []].compactMap { entry in
            guard let change = changes[entry], isMeant(change), let overlay = change.content.overlay else { return nil }
            return .init(overlay: overlay, isAddition: change.content.isAddition, began: change.began)
        }
    }

    /// Returns the undecided changes of a model, the earliest first.
    func open(_ id: String) -> [Change] {
        models[UTF8Key(id), default: []].compactMap { changes[$0] }.filter(\.isOpen)
    }

    /// Returns whether a model was added under an id, and the service gave it no other.
    func isAdded(_ id: String) -> Bool {
        models[UTF8Key(id), default: []].contains { entry in
            changes[entry].map { $0.content.isAddition && $0.assignedID == nil } ?? false
        }
    }

    /// Returns the refused changes of a model, the earliest first.
    ///
    /// The journal may not have a refusal yet.
    func refused(_ id: String) -> [Change] {
        models[UTF8Key(id), default: []].compactMap { changes[$0] }.filter { change in
            change.phase == .dead || change.phase == .decided && change.failure != nil
        }
    }

    /// Returns the id that the service has given a model.
    ///
    /// nil if the settlement of its addition is known, or if the service kept the id.
    func assignedID(to id: String) -> String? {
        models[UTF8Key(id), default: []].lazy.compactMap { changes[$0]?.assignedID }.first
    }

    /// Returns the models that a list may lack, in the order of their additions.
    ///
    /// Their additions are pending, or were delivered since the `asOf` of the list.
    func additions(since asOf: WallTime) -> [UTF8Key] {
        guard !added.isEmpty || shownCount > 0 else { return [] }
        let shown = changes.values.filter { $0.isShown && $0.content.isAddition }.sorted { precedes($0.entry, $1) }
        return added.filter { $0.at >= asOf }.map(\.id) + shown.map { UTF8Key($0.key.id) }
    }

    /// Returns the entries of the changes in some phases, the earliest first.
    func entries(in phases: Set<Change.Phase>) -> [OutboxEntry.ID] {
        changes.values.filter { phases.contains($0.phase) }.sorted { precedes($0.entry, $1) }.map(\.entry)
    }
}
