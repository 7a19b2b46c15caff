/// The end of a repository's writes to its store.
package struct RepositoryShutdown: Sendable {
    /// Ends the writes: none begins after this.
    package let end: @Sendable () -> Void
    /// Returns when the writes that have begun are done.
    package let drain: @Sendable () async -> Void

    /// Whether the write queue is gone, so that nothing more is committed.
    package let isOver: @Sendable () -> Bool
}
