extension Commit {
    /// Whether ``Journal/notifications()`` reports the commit.
    ///
    /// It does if another lane may be due, or if an entry has other bytes.
    package var notifiesJournal: Bool {
        !enqueued.isEmpty || !settled.isEmpty || !retried.isEmpty || !discarded.isEmpty || !resumed.isEmpty
            || !released.isEmpty || !rewritten.isEmpty
    }
}
