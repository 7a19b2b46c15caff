internal import WharfCore

extension StoredModels {
    /// Makes rows stale, and the lists that have them. They stay what they are otherwise.
    ///
    /// - Returns: the keys of what was made stale, lists included.
    func invalidate(_ rows: [EntityRow]) async throws(StoreError) -> Set<EntityKey> {
        let members = Set(rows.map(\.key.id))
        let lists = try await allLists().filter { list in
            ListRow.ids(list)?.contains(where: members.contains) ?? true
        }
        return await invalidateOnly(rows + lists)
    }

    func invalidateOnly(_ rows: [EntityRow]) async -> Set<EntityKey> {
        let stale = rows.map { row in
            var row = row
            row.staleAt = .distantPast
            return EntityChange.put(row)
        }
        return await line.ask { ticket in await commit(stale, ticket) }
    }

    func allLists() async throws(StoreError) -> [EntityRow] {
        try await store.rows(RowQuery(), of: account, kind: ListRow.kind(of: kind.name))
    }
}
