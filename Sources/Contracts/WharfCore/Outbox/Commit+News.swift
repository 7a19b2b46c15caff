extension Commit {
    /// Whether ``Journal/news()`` reports the commit.
    ///
    /// It does if another lane may be due, or if an entry has other bytes.
    package var isJournalNews: Bool {
        !enqueued.isEmpty || !settled.isEmpty || !retried.isEmpty || !discarded.isEmpty || !resumed.isEmpty
            || !released.isEmpty || !rewritten.isEmpty
    }
}
