internal import WharfCore

// A page lies in the store as a list does, with the token of the next page.
extension StoredModels {
    func page(
        _ question: PageQuery<Model>, _ mode: CacheMode, _ found: Look<Page<Model>>?,
        _ willCommit: @escaping WillCommit
    ) async -> Answer<Page<Model>> {
        guard let remote else { return await queriedPage(question) }
        guard let page = remote.page else { return Answer(Snapshot(kept: nil, error: .noPages)) }
        return await answer(pageKey(question), mode, found, willCommit) {
            await lookPage(question)
        } ask: { mode in
            await page(question, mode)
        } keep: { kept, request in
            await keepMembers(kept, kept.value.items, request) { ids in
                (pageKey(question), ListRow.pageSchema, ListRow.bytes(ids, next: kept.value.next))
            } look: {
                await lookPage(question)
            }
        }
    }

    func lookPage(_ question: PageQuery<Model>) async -> Look<Page<Model>> {
        // Models that the service has not placed yet are shown on the first page.
        await lookMembers(pageKey(question), adding: question.token == nil ? question.query.rows.storeQuery : nil) {
            row in
            ListRow.page(row).map { ($0.ids, $0.next) }
        } made: {
            Page($0, next: $1)
        }
    }

    /// Returns a page that the store answers by itself.
    ///
    /// It begins behind the last row of the page before, so a later page costs no more than an
    /// earlier one.
    func queriedPage(_ question: PageQuery<Model>) async -> Answer<Page<Model>> {
        guard var query = question.query.rows.storeQuery else {
            return Answer(Snapshot(kept: nil, error: .onlyAtTheService(question.query.rows)))
        }
        switch question.token {
        case nil: break
        case .after(let cursor): query.after = cursor
        case let token?:
            return Answer(
                Snapshot(kept: nil, error: .foreignToken(token, expected: "a place in the order of the query")))
        }
        // One row more tells whether there is a next page.
        query.limit = question.size + 1
        do throws(StoreError) {
            let number = pending.read(\.number)
            let found = try await store.states(query, of: account, kind: kind.name)
            let states = Array(found.states.prefix(question.size))
            let hasMore = found.states.count > states.count
            let next = hasMore ? states.last?.row.map { query.cursor(id: $0.key.id, $0.fields) } : nil
            let kept = Snapshot<Page<Model>>.Kept(
                value: Page(models(states), next: next.map(PageToken.after)), source: .store,
                asOf: states.compactMap(\.row?.asOf).min() ?? clock.now())
            // A page with a next page differs from one without. So the first row of the next page
            // counts as a member of the revision.
            let members = found.states.compactMap(member)
            return Answer(
                Snapshot(kept: kept.revised(.list(nil, members: members))),
                mark: ReadMark(store: found.version, pending: number))
        } catch {
            return Answer(Snapshot(kept: nil, error: failed(error, "query \(kind.name)")))
        }
    }

    func pageKey(_ question: PageQuery<Model>) -> EntityKey {
        let list = listKey(question.query)
        let place = question.token.map { ";@" + $0.text } ?? ""
        return EntityKey(account: account, kind: list.kind, id: list.id + ";/\(question.size)" + place)
    }
}
