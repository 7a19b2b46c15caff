public import WharfCore
internal import WharfPrimitives

// Of repositories whose changes wait in an outbox.
extension Repository {
    /// The models whose changes wait in the outbox or were set aside, now and whenever one of them stands elsewhere: for a list that
    /// shows it in each row.
    ///
    /// ```swift
    /// for await pending in notes.observePending() { rows.pending = pending }
    ///
    /// switch rows.pending[note.id] {
    /// case .sending?: Text("sending")
    /// case .waiting(let why)?: Text(why?.code == .offline ? "waiting for the network" : "waiting")
    /// case .failed(let why)?: Text("failed: \(why.message)")
    /// case nil: EmptyView()
    /// }
    /// ```
    ///
    /// What was pending when the process ended is known from the journal. What another process sends is `waiting` here until it is
    /// settled. Of a model that can't be read any more nothing is said.
    ///
    /// - Complexity: a change costs a look at those of its model; an element that somebody keeps, one copy of what waits.
    public func observePending() -> PendingStates<Model.ID> {
        guard let stored, let journal = stored.journal else {
            let nothing = Broadcast(true)
            nothing.end()
            return PendingStates(current: nothing) { (([:], 0), nothing.latest.version) }
        }
        stored.follow(journal)
        // Holds the journal as well: its follower ends with it.
        return PendingStates(current: stored.pending.known) {
            let (isKnown, version) = stored.pending.known.latest
            let told = stored.pending.read(\.told)
            return (isKnown ? (told.states, told.number) : nil, version)
        }
    }

    /// The same as it is now.
    ///
    /// - Throws: where the journal could not be read.
    public func pending() async throws(StoreError) -> [Model.ID: PendingState] {
        guard let stored, stored.journal != nil else { return [:] }
        try await stored.restoreWaiting()
        return stored.pending.read(\.told.states)
    }
}
