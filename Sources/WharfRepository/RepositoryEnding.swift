/// Ends what a repository puts into its store.
package struct RepositoryEnding: Sendable {
    /// Nothing is begun after this.
    package let end: @Sendable () -> Void
    /// Returns when what was begun is done.
    package let drain: @Sendable () async -> Void

    /// Whether the write queue is gone, so that nothing more is committed.
    package let isOver: @Sendable () -> Bool

    init(
        end: @escaping @Sendable () -> Void, drain: @escaping @Sendable () async -> Void,
        isOver: @escaping @Sendable () -> Bool
    ) {
        self.end = end
        self.drain = drain
        self.isOver = isOver
    }
}
