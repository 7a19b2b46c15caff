internal import WharfCore

// A page lies in the store as a list does, with where the next one is.
extension StoredModels {
    func page(_ question: PageQuery<Model>, _ mode: CacheMode, _ expect: Expect) async -> Snapshot<Page<Model>> {
        guard let remote else { return await queriedPage(question) }
        guard let page = remote.page else { return Snapshot(kept: nil, error: .noPages) }
        return await answer(pageKey(question), mode) {
            await lookPage(question)
        } ask: { mode in
            await page(question, mode)
        } keep: { kept, ticket in
            await keepMembers(kept, kept.value.items, ticket, expect) { ids in
                (pageKey(question), ListRow.pageSchema, ListRow.bytes(ids, next: kept.value.next))
            } stored: {
                await line.shielded { [self] in await lookPage(question).kept }
            }
        }
    }

    func lookPage(_ question: PageQuery<Model>) async -> Found<Page<Model>> {
        // What the service has not placed yet is shown on the first page.
        await lookMembers(pageKey(question), adding: question.token == nil ? question.query.rows : nil) { row in
            ListRow.page(row).map { ($0.ids, $0.next) }
        } made: {
            Page($0, next: $1)
        }
    }

    /// A page of what the store answers by itself: behind the place of the last row of the page before, so that it costs no more the
    /// further it lies behind.
    func queriedPage(_ question: PageQuery<Model>) async -> Snapshot<Page<Model>> {
        var query = question.query.rows
        switch question.token {
        case nil: break
        case .after(let cursor): query.after = cursor
        case let token?:
            return Snapshot(kept: nil, error: .foreignToken(token, expected: "a place in the order of the query"))
        }
        // One more tells whether there is a next page.
        query.limit = question.size + 1
        do throws(StoreError) {
            let found = try await store.rows(query, of: account, kind: kind.name)
            let rows = Array(found.prefix(question.size))
            let next = found.count > rows.count ? rows.last.map { query.cursor(id: $0.key.id, $0.fields) } : nil
            let kept = Snapshot<Page<Model>>.Kept(
                value: Page(rows.compactMap { decoded($0)?.value }, next: next.map(PageToken.after)), source: .store,
                asOf: rows.map(\.asOf).min() ?? clock.now())
            var hasher = Hasher()
            hasher.combine(stamp(nil, rows.map(\.stamp)))
            hasher.combine(next)
            return Snapshot(kept: kept.stamped(hasher.finalize()))
        } catch {
            return Snapshot(kept: nil, error: failed(error, "query \(kind.name)"))
        }
    }

    func pageKey(_ question: PageQuery<Model>) -> EntityKey {
        let list = listKey(question.query)
        let place = question.token.map { ";@" + $0.text } ?? ""
        return EntityKey(account: account, kind: list.kind, id: list.id + ";/\(question.size)" + place)
    }
}
