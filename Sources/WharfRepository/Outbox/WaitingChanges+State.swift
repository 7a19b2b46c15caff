internal import WharfCore
internal import WharfPrimitives

// What changes of it costs a look at the change, and none at the others, of its model or of another.
extension WaitingChanges.State {
    /// - Returns: where its outcome will be said.
    mutating func begin(_ entry: OutboxEntry.ID, _ begun: WaitingChanges.Change) -> Promise<WriteOutcome<Model>> {
        let known = remove(entry)
        var begun = begun
        if let known { begun.decision = known.decision }
        changes[entry] = begun
        order.append(entry)
        note(entry, of: begun.id)
        if let failure = begun.failure, failure.holdsAll { reach(failure) }
        return begun.decision
    }

    mutating func update(_ entry: OutboxEntry.ID, _ body: (inout WaitingChanges.Change) -> Void) {
        guard let before = changes[entry] else { return }
        var change = before
        body(&change)
        changes[entry] = change
        if change.isDecided { decided.insert(entry) }
        if change.id == before.id {
            stand(entry, of: change.id)
        } else {
            forget(entry, of: before.id)
            note(entry, of: change.id)
        }
    }

    mutating func reorder(_ entry: OutboxEntry.ID, to order: UInt64) {
        changes[entry]?.order = order
        dead[entry]?.order = order
    }

    mutating func bury(_ entry: OutboxEntry.ID, _ letter: WaitingChanges.Dead) -> WaitingChanges.Change? {
        let change = remove(entry)
        let id = change?.id ?? letter.id
        dead[entry] = WaitingChanges.Dead(id: id, failure: letter.failure, order: letter.order)
        note(entry, of: id)
        return change
    }

    mutating func remove(_ entry: OutboxEntry.ID) -> WaitingChanges.Change? {
        let letter = dead.removeValue(forKey: entry)
        decided.remove(entry)
        let change = changes.removeValue(forKey: entry)
        forget(entry, of: change?.id ?? letter?.id)
        if changes.isEmpty { unreached = nil }
        if order.count > 2 * changes.count + 16 { order.removeAll { changes[$0] == nil } }
        return change
    }

    /// What the last attempt says of the way to the service.
    mutating func reach(_ failure: DeliveryFailure?) {
        guard failure != unreached else { return }
        unreached = failure
        for id in standings.keys { tell(id) }
    }

    // MARK: What is told

    private mutating func note(_ entry: OutboxEntry.ID, of id: Model.ID?) {
        guard let id else { return }
        count += 1
        standings[id, default: Standings()].insert(Standings.Place(entry, number: count))
        stand(entry, of: id)
    }

    private mutating func forget(_ entry: OutboxEntry.ID, of id: Model.ID?) {
        guard let id else { return }
        standings[id]?.remove(entry)
        tell(id)
    }

    private mutating func stand(_ entry: OutboxEntry.ID, of id: Model.ID?) {
        guard let id else { return }
        let rank = rank(of: entry)
        standings[id]?.set(entry, to: rank)
        tell(id)
    }

    private mutating func tell(_ id: Model.ID) {
        if standings[id]?.isEmpty == true { standings[id] = nil }
        let state = state(of: id)
        guard told.states[id] != state else { return }
        told.states[id] = state
        told.number += 1
    }

    /// That of the change of a model which says most, and of equals the earliest.
    private mutating func state(of id: Model.ID) -> PendingState? {
        if let first = standings[id]?.first(.failed), let failure = failure(of: first.entry) { return .failed(failure) }
        if standings[id]?.first(.sending) != nil { return .sending }
        let (held, waiting) = (standings[id]?.first(.held), standings[id]?.first(.waiting))
        // While nobody is reached, what has no failure of its own says as much.
        if let waiting, held.map({ unreached != nil && waiting.number < $0.number }) ?? true {
            return .waiting(unreached)
        }
        return held.map { .waiting(failure(of: $0.entry)) }
    }

    private func failure(of entry: OutboxEntry.ID) -> DeliveryFailure? {
        dead[entry]?.failure ?? changes[entry]?.failure
    }

    /// nil for what was taken.
    private func rank(of entry: OutboxEntry.ID) -> Standings.Rank? {
        if dead[entry] != nil { return .failed }
        guard let change = changes[entry] else { return nil }
        if change.isDecided { return change.failure.map { _ in .failed } }
        return change.isSending ? .sending : change.failure == nil ? .waiting : .held
    }
}

extension DeliveryFailure {
    /// Whether nothing else of the destination is sent either, for the same reason.
    var holdsAll: Bool { code == .offline || code == .needsAuthentication }
}
