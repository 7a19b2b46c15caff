internal import WharfCore

extension StoredModels {
    /// What became of changes.
    struct Committed: Sendable {
        /// Those that no later answer has overtaken, as they went to the store.
        let changes: [EntityChange]
        /// They may be in the store, or not: it failed.
        let isUncertain: Bool

        func row(_ key: EntityKey) -> EntityRow? {
            changes.lazy.compactMap { if case .put(let row) = $0, row.key == key { row } else { nil } }.last
        }
    }

    /// A store that fails is reported, and does not fail the read.
    @discardableResult
    func commit(_ changes: [EntityChange], _ ticket: CommitLine.Ticket) async -> Committed {
        await line.turn { [self] in await commitInTurn(changes, ticket) }
    }

    func commitInTurn(_ changes: [EntityChange], _ ticket: CommitLine.Ticket) async -> Committed {
        await putInTurn(await notOvertaken(line.accepted(changes, asOf: ticket), ticket), ticket)
    }

    /// What no later answer has overtaken.
    func putInTurn(_ accepted: [EntityChange], _ ticket: CommitLine.Ticket) async -> Committed {
        guard !accepted.isEmpty else { return Committed(changes: [], isUncertain: false) }
        if line.isEnded { return Committed(changes: accepted, isUncertain: true) }
        do throws(StoreError) {
            try await store.commit(accepted)
        } catch {
            _ = failed(error, "keep \(kind.name)")
            return Committed(changes: accepted, isUncertain: true)
        }
        line.note(accepted, asOf: ticket)
        return Committed(changes: accepted, isUncertain: false)
    }

    /// Without what somebody else has put there since the question, and for which the origin vouched later.
    private func notOvertaken(_ changes: [EntityChange], _ ticket: CommitLine.Ticket) async -> [EntityChange] {
        let keys = changes.compactMap { if case .put(let row) = $0 { row.key } else { nil } }
        let changed = line.changed(keys, since: ticket)
        guard !changed.isEmpty else { return changes }
        do throws(StoreError) {
            let rows = try await store.rows(changed)
            return changes.filter { change in
                guard case .put(let row) = change, let newer = rows[row.key] else { return true }
                return newer.asOf <= row.asOf
            }
        } catch {
            _ = failed(error, "read \(kind.name)")
            return changes
        }
    }

    // MARK: One model

    /// Commits what the remote said, and gives it with the lifetime that it has in the store; or what a later answer has put there.
    func keep(
        _ kept: Snapshot<Model>.Kept, _ ticket: CommitLine.Ticket, _ expect: Expect
    ) async -> Snapshot<Model>.Kept? {
        let kept = lasting(kept)
        guard let row = row(kept) else { return kept }
        if let stamp = pending.isEmpty ? row.stamp : shown(row, row.key)?.stamp { expect(stamp) }
        return await line.turn { [self] in await put(kept, row, ticket) }
    }

    /// Puts a model in, as of a moment; what is there already stays when it is newer.
    ///
    /// - Returns: what is known now.
    func receive(_ model: Model, asOf: WallTime) async -> Snapshot<Model> {
        let pushed = lasting(.init(value: model, source: .pushed, asOf: asOf))
        return await line.ask { ticket in
            await line.turn { [self] in
                let stored = await look(kind.key(model.id, of: account))
                if let kept = stored.kept, kept.asOf > asOf { return Snapshot(kept: kept) }
                guard let row = row(pushed) else { return Snapshot(kept: pushed) }
                return Snapshot(kept: await put(pushed, row, ticket))
            }
        }
    }

    func lasting(_ kept: Snapshot<Model>.Kept) -> Snapshot<Model>.Kept {
        guard let timeToLive = kind.timeToLive else { return kept }
        return kept.with(kept.value, staleAt: .some(kept.asOf + timeToLive))
    }

    /// nil for what must not be stored, or can't be encoded.
    func row(_ kept: Snapshot<Model>.Kept) -> EntityRow? {
        guard !kept.mustNotBeStored else { return nil }
        do {
            return try kind.row(
                kept.value, of: account, asOf: kept.asOf, staleAt: kept.staleAt,
                validator: kept.response?.strongValidator)
        } catch {
            reportUnencodable("\(kind.name) \(kind.text(kept.value.id))", error)
            return nil
        }
    }

    /// In a turn, as all of it: changes begin in turns as well, and what has ended when the caller hears of it was still shown.
    private func put(
        _ kept: Snapshot<Model>.Kept, _ row: EntityRow, _ ticket: CommitLine.Ticket
    ) async -> Snapshot<Model>.Kept? {
        let writes = pending.shown(row.key.id)
        let committed = await commitInTurn([.put(row)], ticket)
        guard let row = committed.row(row.key) else {
            // A later answer has put something else there, or removed it.
            let found = await look(row.key)
            return found.failure == nil ? found.kept : kept
        }
        guard !writes.isEmpty else {
            return kept.with(kept.value, staleAt: .some(row.staleAt)).stamped(committed.isUncertain ? nil : row.stamp)
        }
        // Without a change that has ended meanwhile the answer would go back to what was before it.
        guard let shown = shown(row, row.key, over: writes) else { return nil }
        return kept.with(shown.value, staleAt: .some(row.staleAt)).pending(shown.isPending)
            .stamped(committed.isUncertain ? nil : shown.stamp)
    }

    func reportUnencodable(_ what: String, _ error: any Error) {
        report(Incident(.notKept, message: "\(what) can't be encoded: \(error)", cause: error))
    }
}
