internal import WharfCore
internal import WharfStorage

// Conversions between changes, entries and pending changes, with an outbox and without.
extension StoredModels {
    /// A change that is made, and not in the journal yet.
    struct NewChange: Sendable {
        let draft: Draft
        let entry: OutboxEntry
    }

    /// Makes a requested change on the model as it is now.
    ///
    /// Call it in a turn of the queue. Otherwise a delivery could end a change between the look at
    /// the row and the look at the pending changes. The new change would then be made without that
    /// change.
    func make(_ requested: ChangeRequest, _ mode: WriteMode) async throws(StoreError) -> Result<NewChange, WriteFailure>
    {
        switch requested {
        case .draft(let draft):
            let draft = if let journal { try await identified(draft, in: journal) } else { draft }
            let row = try await store.row(draft.key)
            let changeBase = changeBase(row, draft.key, base: base(row, draft.key))
            return .success(NewChange(draft: draft, entry: entry(draft, mode, on: changeBase)))
        case .edit(let id, let change):
            let key = kind.key(try await current(id), of: account)
            let row = try await store.row(key)
            // Changes that are not shown yet count too: this one is sent after them.
            let layers = pending.read { $0.layers(key.id) }
            // The row is from before a change whose result was not stored. An edit on it would undo
            // that change.
            if row?.validator == ValidatorChain.unseen { return .failure(.outdatedModel(kind.name, key.id)) }
            guard let (known, _) = overlaid(row, key, layers), var model = decoded(known)?.value else {
                return .failure(.unknownModel(kind.name, key.id))
            }
            let base = bytes(known)
            // The caller's code runs outside of all locks, in the turn of the queue.
            change(&model)
            do throws(WriteFailure) {
                guard kind.text(model.id) == key.id else { throw .changedID(kind.name, key.id, kind.text(model.id)) }
                let draft = try draft(model, isAddition: false)
                return .success(
                    NewChange(draft: draft, entry: entry(draft, mode, on: changeBase(row, key, base: base))))
            } catch {
                return .failure(error)
            }
        case .revision(let draft, let shown):
            return .success(try await makeRevision(draft, of: shown, mode))
        }
    }

    /// Returns the base of a change: the model as it is now, with its pending changes.
    func changeBase(_ row: EntityRow?, _ key: EntityKey, base: [UInt8]?) -> ChangeBase {
        let before = pending.open(key.id)
        let known = before.map(\.content.name)
        // A change on top of another one has the fields of that one too. With a later entity tag,
        // it would overwrite the very model for which the service refuses the other change.
        // Nothing protects an untagged edit at the service, so it is compared before it is sent.
        let isUnknown = before.isEmpty && base != nil && row?.validator == nil && kind.readsBeforeEdits
        return ChangeBase(
            base: base,
            validator: isUnknown ? ValidatorChain.unknown : before.last?.validator ?? row?.validator,
            behind: journal == nil ? known : known.suffix(WaitingChange.mostBehind))
    }

    /// Returns the entry of a change. Without an outbox it goes into no journal.
    func entry(_ draft: Draft, _ mode: WriteMode, on changeBase: ChangeBase) -> OutboxEntry {
        let id = journal?.outbox.newID() ?? pending.newID()
        let before = pending.open(draft.key.id)
        var change = WaitingChange(
            draft.model == nil ? .delete : draft.isAddition ? .add : .edit, id: draft.key.id,
            schema: kind.codec.schema, isShown: mode == .optimistic, chain: before.last?.content.chain ?? id.text,
            bytes: draft.bytes ?? [])
        change.validator = changeBase.validator
        change.behind = changeBase.behind
        // A change of a model that the service does not have yet depends on the addition. Other
        // changes only keep the order of their lane: a refused one takes no later one with it.
        let additions = before.filter(\.content.isAddition).map(\.entry)
        var entry = OutboxEntry(
            id: id, lane: before.last?.lane ?? "\(route.kind)/\(draft.key.id)", kind: WaitingChange.kind(of: kind.name),
            payload: change.payload, targets: [.init(route.destination)], enqueuedAt: clock.now())
        entry.account = account
        entry.base = changeBase.base
        entry.dependencies = Set(additions)
        return entry
    }

    /// Returns the pending change of an entry.
    func change(
        _ entry: OutboxEntry, _ phase: PendingChange<Model>.Phase = .waiting, _ failure: DeliveryFailure? = nil,
        at place: PendingChange<Model>.Position? = nil
    ) -> PendingChange<Model> {
        let change = WaitingChange(entry.payload)
        // A change that can't be read is not shown. Its delivery reports that.
        var pending = PendingChange<Model>(
            entry, key: EntityKey(account: account, kind: kind.name, id: change?.id ?? entry.id.text),
            id: id(of: entry), content(of: entry, change), at: place, isLocal: journal == nil)
        (pending.phase, pending.failure) = (phase, failure)
        return pending
    }

    func content(of entry: OutboxEntry, _ change: WaitingChange?) -> PendingChange<Model>.Content {
        .init(
            name: WaitingChange.Reference(entry.id, change), chain: change?.chain ?? entry.id.text,
            behind: change?.behind ?? [], validator: change?.validator, isAddition: change?.operation == .add,
            isShown: change?.isShown ?? false, overlay: change.flatMap { overlay(of: $0, on: entry.base) })
    }

    private func overlay(of change: WaitingChange, on base: [UInt8]?) -> Overlay? {
        if change.operation == .delete { return .deletion }
        // An addition is made on nothing, even if it was an edit until its model was deleted.
        return Overlay(
            from: change.operation == .add ? nil : base, to: change.bytes, schema: change.schema, kind.codec.members)
    }

    /// Returns the id of an entry's model; nil if it can't be read.
    private func id(of entry: OutboxEntry) -> Model.ID? {
        do throws(DeliveryFailure) { return try draft(entry).id } catch { return nil }
    }

    // MARK: Bytes

    /// Returns the change that an entry asks for.
    func draft(_ entry: OutboxEntry) throws(DeliveryFailure) -> Draft {
        guard entry.kind == WaitingChange.kind(of: kind.name), let change = WaitingChange(entry.payload) else {
            throw .unreadable(kind.name)
        }
        return try draft(change, base: entry.base)
    }

    /// Returns the change that a waiting change asks for.
    ///
    /// - Parameter base: the bytes of the model that the change was made on, if they are known.
    func draft(_ change: WaitingChange, base: [UInt8]?) throws(DeliveryFailure) -> Draft {
        let key = EntityKey(account: account, kind: kind.name, id: change.id)
        do {
            guard change.operation == .delete else {
                let model = try kind.codec.decode(change.bytes, change.schema)
                let isCurrent = change.schema == kind.codec.schema
                return Draft(
                    id: model.id, key: key, model: model,
                    bytes: isCurrent ? change.bytes : try kind.codec.encode(model),
                    isAddition: change.operation == .add)
            }
            // A deletion has no model, so its id comes from its text, or from the base that was
            // deleted.
            let id = try kind.parsing?(change.id) ?? base.map { try kind.codec.decode($0, change.schema).id }
            guard let id, kind.text(id) == change.id else { throw DeliveryFailure.unreadable(kind.name) }
            return Draft(id: id, key: key, model: nil, bytes: nil, isAddition: false)
        } catch let failure as DeliveryFailure {
            throw failure
        } catch {
            throw DeliveryFailure(
                .unreadable,
                message:
                    "the codec of \(kind.name) could not decode a change of schema \(change.schema): \(error); edit or "
                    + "discard the change")
        }
    }

    /// Returns the base of an entry in the codec's present schema.
    ///
    /// Members can be compared in that schema.
    func inCurrentSchema(_ base: [UInt8]?, of entry: OutboxEntry) -> [UInt8]? {
        guard let base, let schema = WaitingChange(entry.payload)?.schema, schema != kind.codec.schema else {
            return base
        }
        do {
            return try kind.codec.encode(try kind.codec.decode(base, schema))
        } catch {
            reportUnencodable("the base of a change of \(kind.name)", error)
            return nil
        }
    }

    /// Returns the bytes of a model.
    ///
    /// A model that can't be encoded is reported as an incident, and has none.
    func bytes(_ model: Model) -> [UInt8]? {
        do {
            return try kind.codec.encode(model)
        } catch {
            reportUnencodable("\(kind.name) \(kind.text(model.id))", error)
            return nil
        }
    }
}

extension DeliveryFailure {
    static func unreadable(_ kind: String) -> DeliveryFailure {
        DeliveryFailure(
            .unreadable, message: "the bytes of the entry are not a change of \(kind); edit or discard it")
    }
}

extension WriteFailure {
    fileprivate static func unknownModel(_ kind: String, _ id: String) -> WriteFailure {
        WriteFailure(
            .notFound,
            message: "there is no \(kind) \(id) in the store to make the change on; read it first, or add it")
    }

    fileprivate static func outdatedModel(_ kind: String, _ id: String) -> WriteFailure {
        WriteFailure(
            .notFound,
            message:
                "the store has \(kind) \(id) only as it was before the last change, whose result must not be stored "
                + "(Cache-Control: no-store); read it from the network first, or base the edit on what was shown")
    }

    static func changedID(_ kind: String, _ id: String, _ other: String) -> WriteFailure {
        WriteFailure(
            .invalid, message: "an edit can't give \(kind) \(id) the id \(other); add another one and delete this")
    }
}
