internal import WharfCore
internal import WharfPrimitives

/// What is stale from now on.
enum Invalidation<Model: Sendable>: Sendable {
    /// The text of an id in the store.
    case id(String)
    case filter(Filter<Model>)
    case tag(String)
    case lists
    case all
}

extension StoredModels {
    /// Makes rows stale, and the lists that have them. They stay what they are otherwise.
    ///
    /// - Returns: the keys of what was made stale, lists included.
    func invalidate(_ what: Invalidation<Model>) async throws(StoreError) -> Set<EntityKey> {
        // In a turn, so that no answer that is newer comes between the reading and the writing.
        let keys = await line.turn { [self] in
            do throws(StoreError) {
                return Result<Set<EntityKey>, StoreError>.success(try await makeStale(what))
            } catch {
                return .failure(error)
            }
        }
        return try keys.get()
    }

    /// Whether it is about a model: by its id where that is enough.
    func covers(_ what: Invalidation<Model>, _ id: String, _ model: Model?) -> Bool {
        switch what {
        case .id(let invalid): UTF8Key(id) == UTF8Key(invalid)
        case .filter(let filter): model.map { filter.condition.matches(kind.fields($0)) } ?? false
        case .tag(let tag): model.map { kind.tags($0).contains(tag) } ?? false
        case .lists: false
        case .all: true
        }
    }

    private func makeStale(_ what: Invalidation<Model>) async throws(StoreError) -> Set<EntityKey> {
        if line.isEnded { throw .ended }
        let rows = try await rows(what)
        let ids = Set(rows.map { UTF8Key($0.key.id) })
        line.invalidate { [self] row in
            guard row.key.kind == kind.name else { return coversList(what, row, ids) }
            return ids.contains(UTF8Key(row.key.id)) || covers(what, row)
        }
        let lists = try await store.rows(RowQuery(), of: account, kind: ListRow.kind(of: kind.name))
        let covered = rows + lists.filter { coversList(what, $0, ids) }
        let changes = covered.filter { $0.staleAt != .distantPast }.map { row in
            var row = row
            row.staleAt = .distantPast
            return EntityChange.put(row)
        }
        if !changes.isEmpty { try await store.commit(changes) }
        return Set(covered.map(\.key))
    }

    private func rows(_ what: Invalidation<Model>) async throws(StoreError) -> [EntityRow] {
        switch what {
        case .id(let id):
            let row = try await store.row(EntityKey(account: account, kind: kind.name, id: id))
            return row.map { [$0] } ?? []
        case .filter(let filter):
            return try await store.rows(RowQuery(filter.condition), of: account, kind: kind.name)
        case .tag, .all:
            let rows = try await store.rows(RowQuery(), of: account, kind: kind.name)
            return rows.filter { covers(what, $0) }
        case .lists: return []
        }
    }

    private func covers(_ what: Invalidation<Model>, _ row: EntityRow) -> Bool {
        switch what {
        case .filter(let filter): filter.condition.matches(row.fields)
        case .tag: covers(what, row.key.id, decoded(row)?.value)
        default: covers(what, row.key.id, nil)
        }
    }

    /// A list that can't be read is asked for anew.
    private func coversList(_ what: Invalidation<Model>, _ row: EntityRow, _ members: Set<UTF8Key>) -> Bool {
        switch what {
        case .lists, .all: true
        case .id(let id): ListRow.ids(row).map { $0.contains { UTF8Key($0) == UTF8Key(id) } } ?? true
        default: ListRow.ids(row).map { $0.contains { members.contains(UTF8Key($0)) } } ?? true
        }
    }
}
