/// Ends what a repository puts into its store.
package struct RepositoryEnding: Sendable {
    /// Nothing is begun after this.
    package let end: @Sendable () -> Void
    /// Returns when what was begun is done.
    package let drain: @Sendable () async -> Void

    init(end: @escaping @Sendable () -> Void, drain: @escaping @Sendable () async -> Void) {
        self.end = end
        self.drain = drain
    }
}
