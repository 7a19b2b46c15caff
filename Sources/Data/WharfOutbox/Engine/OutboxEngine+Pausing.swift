public import WharfCore
internal import WharfStorage

extension OutboxEngine {
    /// Sends nothing more to a destination until it is resumed.
    ///
    /// ```swift
    /// try await outbox.pause("api", because: "the service moves")
    /// try await outbox.resume("api")
    /// ```
    ///
    /// Use it for a service that is down for maintenance, or while a person decides about its
    /// entries.
    ///
    /// - The pause belongs to this engine's account. It is in the journal, so it holds for all
    ///   engines of the account, in every process, and outlasts a restart.
    /// - Entries are enqueued, retried and discarded as before, and keep their order.
    /// - A lane that was leased before the pause is delivered to the end of its lease.
    /// - ``WharfCore/OutboxCounts/paused`` lists the paused destinations, each with time and
    ///   reason.
    ///
    /// A destination that is paused already keeps the time of its first pause.
    ///
    /// - Parameters:
    ///   - destination: its name. It does not have to be registered.
    ///   - reason: a short text for people.
    /// - Throws: the error of the journal.
    public func pause(_ destination: String, because reason: String? = nil) async throws(StoreError) {
        var commit = Commit()
        commit.paused = [place(destination): OutboxPause(since: clock.now(), reason: reason)]
        try await store.commit(commit)
        // The event follows the commit: an observer of the event may read the journal, and must
        // find the pause.
        readers.tell([.paused(destination: destination)])
    }

    /// Ends the pause of a destination, even if another process has paused it.
    ///
    /// Its entries are sent in their order. Engines of other processes learn of it by the journal's
    /// news.
    ///
    /// - Throws: the error of the journal.
    public func resume(_ destination: String) async throws(StoreError) {
        var commit = Commit()
        commit.resumed = [place(destination)]
        try await store.commit(commit)
        readers.tell([.resumed(destination: destination)])
        // The store's notification comes later. An engine that only drains does not follow it at
        // all.
        wakeAfterDecision()
    }

    private func place(_ destination: String) -> PausedDestination { PausedDestination(destination, of: account) }
}
