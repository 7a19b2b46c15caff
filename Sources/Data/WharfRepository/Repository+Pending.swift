public import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The state of changes that wait in an outbox.
extension Repository {
    /// Observes which models have changes that wait or were set aside.
    ///
    /// Use it for a list that shows the state in each row. The first element comes at once, and
    /// another one when a state changes.
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
    /// - The journal tells of changes that were pending when the process ended.
    /// - A change that another process sends is `waiting` here until it is settled.
    /// - A model that can't be decoded any more is left out.
    ///
    /// - Complexity: a change costs a look at the changes of its model. An element that the caller
    ///   keeps costs one copy of all states.
    public func observePending() -> PendingStates<Model.ID> {
        guard let journal = stored?.journal else {
            let nothing = Broadcast(true)
            nothing.end()
            return PendingStates(current: nothing) { (([:], 0), nothing.latest.version) }
        }
        journal.follow()
        // The sequence holds the repository, and the journal with it: otherwise the journal's
        // follower would end. A stack closes the repositories that are alive.
        return PendingStates(current: journal.pending.known) { [self] in
            defer { withExtendedLifetime(self) {} }
            // The version is read before the states. A change between the two makes the next wait
            // return at once; in the other order it would be missed.
            let (isKnown, version) = journal.pending.known.latest
            let published = journal.pending.read(\.published)
            return (isKnown ? (published.states, published.number) : nil, version)
        }
    }

    /// Returns the models that have changes that wait or were set aside now.
    ///
    /// - Throws: the error of the journal.
    public func pending() async throws(StoreError) -> [Model.ID: PendingState] {
        guard let journal = stored?.journal else { return [:] }
        try await journal.restore()
        return journal.pending.read(\.published.states)
    }

    /// Sends the changes of a model that were set aside once more, in their order.
    ///
    /// Use it for a button beside a row whose state is `failed`, after the reason is gone.
    ///
    /// - Returns: the number of these changes.
    /// - Throws: the error of the journal; nothing has changed then.
    @discardableResult
    public func retry(id: Model.ID) async throws(StoreError) -> Int {
        guard let setAside = stored?.outbox?.setAside else { return 0 }
        return try await setAside.decide(onDeadOf: id) { commit, letters in commit.retried = letters }
    }

    /// Gives up the changes of a model that were set aside.
    ///
    /// Changes that depend on them are set aside.
    ///
    /// - Returns: the number of changes that were given up.
    /// - Throws: the error of the journal; nothing has changed then.
    @discardableResult
    public func discard(id: Model.ID) async throws(StoreError) -> Int {
        guard let setAside = stored?.outbox?.setAside else { return 0 }
        return try await setAside.decide(onDeadOf: id) { commit, letters in commit.discarded = letters }
    }
}
