extension Commit {
    /// Whether ``Journal/news()`` tells of it: a lane may be due that was not, or an entry has
    /// other bytes.
    package var isJournalNews: Bool {
        !enqueued.isEmpty || !settled.isEmpty || !retried.isEmpty || !discarded.isEmpty || !resumed.isEmpty
            || !released.isEmpty || !rewritten.isEmpty
    }
}
