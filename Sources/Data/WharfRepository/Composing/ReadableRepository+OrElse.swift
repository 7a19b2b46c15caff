public import WharfCore

extension ReadableRepository {
    /// Returns a repository that shows another one's models if this one has none.
    ///
    /// The error of this repository stands beside them.
    ///
    /// ```swift
    /// let row = recommendations.within(.seconds(1)).orElse(popular, named: "popular")
    /// let snapshot = await row.listSnapshot()
    /// snapshot.kept?.remote                    // "popular", when those are not the user's own
    /// snapshot.error                           // and why
    /// ```
    ///
    /// A value that this repository keeps comes before one of the other, even if that is newer. The
    /// other is asked only when it is needed. If it has nothing either, its error is among the
    /// ``WharfCore/ReadFailure/others`` of the first.
    ///
    /// An observer is told the models of this repository as soon as it has any. The other is then
    /// no longer observed, and its request for this observer is given up. If this one has nothing
    /// to show again, the other is observed again.
    ///
    /// Use it for models that may differ from those that were asked for. If several services have
    /// the same models, `RemoteSource.first(of:)` asks them in turn, and lets a 404 stand.
    ///
    /// - Parameters:
    ///   - name: the ``WharfCore/Snapshot/Kept/remote`` of the other's models.
    ///   - executor: runs the tasks that follow both for observers; nil for the global one.
    public func orElse(
        _ other: some ReadableRepository<Model>, named name: String, executor: (any TaskExecutor)? = nil
    ) -> some ReadableRepository<Model> {
        FallbackRepository(first: self, other: other, name: name, executor: executor)
    }
}
