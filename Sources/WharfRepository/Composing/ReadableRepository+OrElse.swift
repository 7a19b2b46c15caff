public import WharfCore

extension ReadableRepository {
    /// The models of another repository where this one has none to show, for whatever reason; its
    /// error stands beside them.
    ///
    /// ```swift
    /// let row = recommendations.within(.seconds(1)).orElse(popular, named: "popular")
    /// let snapshot = await row.listSnapshot()
    /// snapshot.kept?.remote                    // "popular", when those are not the user's own
    /// snapshot.error                           // and why
    /// ```
    ///
    /// What this repository keeps comes before what the other would have to say, however new that
    /// is; the other is asked only when it is needed. Where it has nothing either, its error is
    /// among the ``WharfCore/ReadFailure/others`` of the first.
    ///
    /// Who observes is told the models of this repository as soon as it has any. The other is then
    /// observed no longer, and what it was fetching for this observer is given up; should this one
    /// have nothing to show again, the other is observed anew.
    ///
    /// It is for what may be another thing than what was asked for. Where several services have the
    /// same models, `RemoteSource.first(of:)` asks them in turn, and lets a 404 stand.
    ///
    /// - Parameters:
    ///   - name: what ``WharfCore/Snapshot/Kept/remote`` says of the other's models.
    ///   - executor: where both are followed for observers; nil for the global one.
    public func orElse(
        _ other: some ReadableRepository<Model>, named name: String, executor: (any TaskExecutor)? = nil
    ) -> some ReadableRepository<Model> {
        FallbackRepository(first: self, other: other, name: name, executor: executor)
    }
}
