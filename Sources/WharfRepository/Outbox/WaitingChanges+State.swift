internal import WharfCore

// What changes of it costs a look at the model whose change it is, and none at the others.
extension WaitingChanges.State {
    /// - Returns: where its outcome will be said.
    mutating func begin(_ entry: OutboxEntry.ID, _ begun: WaitingChanges.Change) -> Decision<WriteOutcome<Model>> {
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
            tell(change.id)
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
        for id in entries.keys { tell(id) }
    }

    // MARK: What is told

    private mutating func note(_ entry: OutboxEntry.ID, of id: Model.ID?) {
        guard let id else { return }
        entries[id, default: []].append(entry)
        tell(id)
    }

    private mutating func forget(_ entry: OutboxEntry.ID, of id: Model.ID?) {
        guard let id, let index = entries[id]?.firstIndex(of: entry) else { return }
        entries[id]?.remove(at: index)
        if entries[id]?.isEmpty == true { entries[id] = nil }
        tell(id)
    }

    private mutating func tell(_ id: Model.ID?) {
        guard let id else { return }
        var joined: PendingState?
        for case let state? in entries[id, default: []].lazy.map(state) {
            joined = joined?.joined(with: state) ?? state
        }
        guard told.states[id] != joined else { return }
        told.states[id] = joined
        told.number += 1
    }

    /// nil for what was taken.
    private func state(of entry: OutboxEntry.ID) -> PendingState? {
        if let letter = dead[entry] { return .failed(letter.failure) }
        guard let change = changes[entry] else { return nil }
        if change.isDecided { return change.failure.map { .failed($0) } }
        return change.isSending ? .sending : .waiting(change.failure ?? unreached)
    }
}

extension DeliveryFailure {
    /// Whether nothing else of the destination is sent either, for the same reason.
    var holdsAll: Bool { code == .offline || code == .needsAuthentication }
}
