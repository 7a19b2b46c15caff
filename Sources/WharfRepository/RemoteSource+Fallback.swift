public import WharfCore

extension RemoteSource {
    /// Several services for the same models, in order of preference: when one fails, the next is asked.
    ///
    /// Failures are those of ``WharfCore/ReadPolicy``. Any other error status is an answer and stands: a 404 of the first is not looked
    /// up at the second. What is kept beside a failure of one waits until no other has anything newer; the snapshot then has the
    /// failure of the first.
    ///
    /// ```swift
    /// let source = RemoteSource<User>.first(of: [("primary", .http(client, …)), ("mirror", .http(mirror, …))])
    /// snapshot.kept?.remote                    // "mirror", when the primary did not answer
    /// ```
    ///
    /// Changes go to the first that takes any, and to no other: one that did not answer may have made them.
    ///
    /// - Parameter sources: each with the name that ``WharfCore/Snapshot/Kept/remote`` gives. A list is there if one of them has it.
    public static func first(of sources: [(name: String, source: RemoteSource)]) -> RemoteSource {
        let one: Get = { id, mode in
            await firstAnswer(sources.map { source in (source.name, { await source.source.get(id, mode) }) })
        }
        let lists = sources.compactMap { source in source.source.list.map { (name: source.name, list: $0) } }
        let all: List = { query, mode in
            await firstAnswer(lists.map { list in (list.name, { await list.list(query, mode) }) })
        }
        let source = RemoteSource(get: one, list: lists.isEmpty ? nil : all)
        return sources.lazy.compactMap(\.source.write).first.map(source.writing) ?? source
    }

    private static func firstAnswer<Value>(
        _ sources: [(name: String, ask: () async -> Snapshot<Value>)]
    ) async -> Snapshot<Value> {
        var kept: Snapshot<Value>.Kept?
        var failure: ReadFailure?
        for source in sources {
            let answer = await source.ask()
            let named = answer.kept.map { $0.with($0.value, remote: source.name) }
            guard let error = answer.error else { return Snapshot(kept: named) }
            if error.isAnswer || error.code == .cancelled { return Snapshot(kept: named, error: error) }
            if let named, kept.map({ $0.asOf < named.asOf }) ?? true { kept = named }
            // That nothing is kept says less than why an origin did not answer.
            if failure == nil || failure?.code == .nothingKept { failure = error }
        }
        return Snapshot(kept: kept, error: failure ?? .noSource)
    }
}

extension ReadFailure {
    fileprivate static let noSource = ReadFailure(
        .unsupported, message: "expected at least one source to read from, but the list of them is empty")
}
