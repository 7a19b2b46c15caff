extension Commit {
    /// Whether a lane may be due after it that was not before, or has other bytes, which other processes show.
    package var mayMakeDue: Bool {
        !enqueued.isEmpty || !settled.isEmpty || !retried.isEmpty || !discarded.isEmpty || !resumed.isEmpty
            || !released.isEmpty || !rewritten.isEmpty
    }
}
