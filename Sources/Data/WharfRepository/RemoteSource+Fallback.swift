public import WharfCore

extension RemoteSource {
    /// Returns a source that asks several services for the same models, in order.
    ///
    /// If one fails, the next is asked. Failures are those of ``WharfCore/ReadPolicy``. Any other
    /// error status is an answer and stands: a 404 of the first is not looked up at the second.
    ///
    /// A value that comes with a failure waits for the other services. If all fail, the newest such
    /// value is given, with the failure of the first and those of the
    /// ``WharfCore/ReadFailure/others``.
    ///
    /// ```swift
    /// let source = RemoteSource<User>.first(of: [("primary", .http(client, …)), ("mirror", .http(mirror, …))])
    /// snapshot.kept?.remote                    // "mirror", when the primary did not answer
    /// ```
    ///
    /// Changes go to the first service that takes any, and to no other: one that did not answer may
    /// have made them. The model that a change is compared with is read there too, because a mirror
    /// may not have another client's change yet.
    ///
    /// - Parameter sources: each with the name that ``WharfCore/Snapshot/Kept/remote`` gives. The
    ///   source has lists if one of them has any, and so with pages.
    public static func first(of sources: [(name: String, source: RemoteSource)]) -> RemoteSource {
        let one: Get = { id, mode in
            await firstAnswer(sources.map { source in (source.name, { await source.source.get(id, mode) }) })
        }
        let lists = sources.compactMap { name, source in
            source.list.flatMap { list in
                source.listStoredThenNetwork.map { both in (name: name, list: list, both: both) }
            }
        }
        let all: List = { query, mode in
            await firstAnswer(lists.map { list in (list.name, { await list.list(query, mode) }) })
        }
        let oneOfBoth: GetStoredThenNetwork = { id in
            await firstOfBoth(
                sources.map { name, source in
                    (name, { await source.getStoredThenNetwork(id) }, { mode in await source.get(id, mode) })
                })
        }
        let allOfBoth: ListStoredThenNetwork = { query in
            await firstOfBoth(
                lists.map { list in
                    (list.name, { await list.both(query) }, { mode in await list.list(query, mode) })
                })
        }
        let source = RemoteSource(get: one, list: lists.isEmpty ? nil : all)
            .storedThenNetwork(get: oneOfBoth, list: lists.isEmpty ? nil : allOfBoth).paged(first: sources)
        guard let writable = sources.map(\.source).first(where: { $0.write != nil }), let write = writable.write else {
            return source
        }
        return source.writing(write, comparingWith: writable.getToCompare ?? writable.get)
    }

    /// Adds pages, of the source that answers for the first page.
    ///
    /// Later pages come from the same source, because its tokens mean nothing to others.
    private func paged(first sources: [(name: String, source: RemoteSource)]) -> RemoteSource {
        let pages = sources.compactMap { source in source.source.page.map { (name: source.name, page: $0) } }
        guard !pages.isEmpty else { return self }
        return paged { question, mode in
            // The first page decides which source has the list. Its name goes into the token of the
            // next page.
            guard let token = question.token else {
                return await Self.firstAnswer(
                    pages.map { page in (page.name, { await page.page(question, mode).naming(page.name) }) })
            }
            for page in pages {
                // Another source would read the token as one of its own, or refuse it.
                guard let own = token.own(of: page.name) else { continue }
                let question = PageQuery(question.query, size: question.size, token: own)
                let answer = await page.page(question, mode).naming(page.name)
                return Snapshot(kept: answer.kept.map { $0.with($0.value, remote: page.name) }, error: answer.error)
            }
            return Snapshot(kept: nil, error: .foreignToken(token, expected: "a token of one of the sources"))
        }
    }

    /// Looks in the sources in order. The request to the network continues the same calls.
    private static func firstOfBoth<Value>(
        _ sources: [(
            name: String, call: @Sendable () async -> StoredThenNetwork<Value>, ask: StoredThenNetwork<Value>.Ask
        )]
    ) async -> StoredThenNetwork<Value> {
        var requests = sources.map(\.ask)
        let stored = await firstAnswer(
            sources.indices.map { index in
                let source = sources[index]
                return (
                    source.name,
                    {
                        let answer = await source.call()
                        requests[index] = answer.network
                        return answer.stored
                    }
                )
            })
        // A source after the one that has answered was not called. It is asked in one mode.
        return StoredThenNetwork(stored: stored) { [requests] mode in
            await firstAnswer(
                sources.indices.map { index in (sources[index].name, { await requests[index](mode) }) })
        }
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
            // An answer stands, also a refusal. A cancelled caller wants no further request.
            if error.isAnswer || error.code == .cancelled { return Snapshot(kept: named, error: error) }
            if let named, kept.map({ $0.asOf < named.asOf }) ?? true { kept = named }
            // `nothingKept` says less than the reason why an origin did not answer.
            if let first = failure, first.code != .nothingKept {
                failure = first.with(other: error)
            } else {
                failure = error
            }
        }
        return Snapshot(kept: kept, error: failure ?? .noSource)
    }
}

extension Snapshot {
    /// Puts the name of the source before the token of the next page.
    fileprivate func naming<Model>(_ name: String) -> Snapshot where Value == Page<Model> {
        guard let kept, let next = kept.value.next else { return self }
        // The length comes first, so that a name that is the beginning of another one is not taken
        // for it.
        let named = PageToken.cursor("\(name.utf8.count):\(name)\(next.text)")
        return Snapshot(kept: kept.with(Page(kept.value.items, next: named)), error: error)
    }
}

extension PageToken {
    /// The token as the source of this name gave it; nil if it is of another source.
    fileprivate func own(of name: String) -> PageToken? {
        guard case .cursor(let cursor) = self else { return nil }
        let prefix = "\(name.utf8.count):\(name)".utf8
        guard cursor.utf8.starts(with: prefix) else { return nil }
        return PageToken(text: String(Substring(cursor.utf8.dropFirst(prefix.count))))
    }
}

extension ReadFailure {
    fileprivate static let noSource = ReadFailure(
        .unsupported, message: "the list of sources to read from is empty; give at least one source")
}
