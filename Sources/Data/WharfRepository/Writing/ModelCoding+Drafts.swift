internal import WharfCore
internal import WharfStorage

// Drafts of changes, from models and from the entries of a journal.
extension ModelCoding {
    func draft(_ model: Model, isAddition: Bool) throws(WriteFailure) -> ChangeDraft<Model> {
        do {
            return ChangeDraft(
                id: model.id, key: kind.key(model.id, of: account), model: model, bytes: try kind.codec.encode(model),
                isAddition: isAddition)
        } catch {
            throw WriteFailure(
                .unencodable,
                message: "the codec of \(kind.name) could not encode the model: \(error); nothing was sent",
                cause: error)
        }
    }

    func draft(deleting id: Model.ID) -> ChangeDraft<Model> {
        ChangeDraft(id: id, key: kind.key(id, of: account), model: nil, bytes: nil, isAddition: false)
    }

    /// Returns the model's key as the caller knows it.
    func key(_ requested: ChangeRequest<Model>) -> EntityKey {
        switch requested {
        case .draft(let draft), .revision(let draft, _): draft.key
        case .edit(let id, _): kind.key(id, of: account)
        }
    }

    /// Makes the edit that leads from one model to another on a third one.
    ///
    /// nil if the result can't be read.
    func edited(_ bytes: [UInt8], asFrom base: [UInt8], to mine: [UInt8]) -> ChangeDraft<Model>? {
        revised(bytes, by: overlay(from: base, to: mine))
    }

    /// Returns the edited model; nil if it can't be read.
    func revised(_ bytes: [UInt8], by edit: Overlay) -> ChangeDraft<Model>? {
        guard let bytes = edit.applied(to: (bytes, kind.codec.schema), kind.codec.members)?.bytes else { return nil }
        do {
            let model = try kind.codec.decode(bytes, kind.codec.schema)
            return try draft(model, isAddition: false)
        } catch {
            return nil
        }
    }

    /// Returns the change that an entry asks for.
    func draft(_ entry: OutboxEntry) throws(DeliveryFailure) -> ChangeDraft<Model> {
        guard entry.kind == WaitingChange.kind(of: kind.name), let change = WaitingChange(entry.payload) else {
            throw .unreadable(kind.name)
        }
        return try draft(change, base: entry.base)
    }

    /// Returns the change that a waiting change asks for.
    ///
    /// - Parameter base: the bytes of the model that the change was made on, if they are known.
    private func draft(_ change: WaitingChange, base: [UInt8]?) throws(DeliveryFailure) -> ChangeDraft<Model> {
        let key = key(change.id)
        do {
            guard change.operation == .delete else {
                let model = try kind.codec.decode(change.bytes, change.schema)
                let isCurrent = change.schema == kind.codec.schema
                return ChangeDraft(
                    id: model.id, key: key, model: model,
                    bytes: isCurrent ? change.bytes : try kind.codec.encode(model),
                    isAddition: change.operation == .add)
            }
            // A deletion has no model, so its id comes from its text, or from the base that was
            // deleted.
            let id = try kind.parsing?(change.id) ?? base.map { try kind.codec.decode($0, change.schema).id }
            guard let id, kind.text(id) == change.id else { throw DeliveryFailure.unreadable(kind.name) }
            return ChangeDraft(id: id, key: key, model: nil, bytes: nil, isAddition: false)
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

    /// Returns the conflict of an entry; nil if the app's own change can't be read.
    func conflict(
        _ entry: OutboxEntry, as id: String, theirs: Model?, validator: String? = nil, letter: DeliveryID?
    ) -> WriteConflict<Model>? {
        do {
            var draft = try draft(entry)
            if draft.key.id != id { draft = try identified(draft, as: id) }
            var base = WaitingChange(entry.payload).flatMap { change in entry.base.flatMap { model($0, change.schema) }
            }
            if draft.isAddition { base = nil }
            if let old = base, kind.text(old.id) != id { base = kind.identify?(old, draft.id) }
            var conflict = WriteConflict(id: draft.id, base: base, mine: draft.model, theirs: theirs)
            conflict.validator = validator
            conflict.letter = letter
            conflict.key = entry.key
            return conflict
        } catch {
            reportUndecodable("a conflict of \(kind.name) \(id)", error)
            return nil
        }
    }

    /// Returns a version of a model in a conflict; nil if it can't be read.
    func model(_ bytes: [UInt8], _ schema: Int) -> Model? {
        do { return try kind.codec.decode(bytes, schema) } catch {
            reportUndecodable("a version in a conflict of \(kind.name)", error)
            return nil
        }
    }

    // MARK: Another id

    /// Returns the same change, of the model with another id.
    func identified(_ draft: ChangeDraft<Model>, as given: String) throws(DeliveryFailure) -> ChangeDraft<Model> {
        func failure(_ advice: String) -> DeliveryFailure {
            DeliveryFailure(
                .rejected,
                message:
                    "the service changed the id \(draft.key.id) to \(given), and this change has the old id; \(advice)")
        }
        guard let identify = kind.identify else {
            throw failure(
                "make the change again with the new id and discard this one, or give EntityKind `identifying(by:)` for "
                    + "the next"
            )
        }
        guard let id = kind.parsing?(given), kind.text(id) == given else {
            throw failure("give EntityKind a `parsing` that reads the new id as an id of \(kind.name)")
        }
        guard let old = draft.model else {
            return ChangeDraft(id: id, key: key(given), model: nil, bytes: nil, isAddition: false)
        }
        let model = identify(old, id)
        guard kind.text(model.id) == given else {
            throw failure("`identifying(by:)` of \(kind.name) gave a model with the id \(kind.text(model.id))")
        }
        do {
            return ChangeDraft(
                id: id, key: key(given), model: model, bytes: try kind.codec.encode(model),
                isAddition: draft.isAddition)
        } catch {
            throw failure("the model can't be encoded with the new id: \(error)")
        }
    }

    /// Returns the same waiting change, of the model with another id.
    func identified(_ change: WaitingChange, as given: String) throws(DeliveryFailure) -> WaitingChange {
        let draft = try identified(try draft(change, base: nil), as: given)
        var moved = change
        moved.id = given
        moved.schema = kind.codec.schema
        moved.bytes = draft.bytes ?? []
        return moved
    }

    // MARK: Pending changes

    /// The destination and kind under which the outbox knows the changes of the models.
    var route: OutboxCounts.Route {
        let name = WaitingChange.kind(of: kind.name).name
        return OutboxCounts.Route(name, kind: name)
    }

    /// Returns the pending change of an entry.
    func change(
        _ entry: OutboxEntry, _ phase: PendingChange<Model>.Phase = .waiting, _ failure: DeliveryFailure? = nil,
        at place: PendingChange<Model>.Position? = nil, isLocal: Bool = false
    ) -> PendingChange<Model> {
        let change = WaitingChange(entry.payload)
        // A change that can't be read is not shown. Its delivery reports that.
        var pending = PendingChange<Model>(
            entry, key: key(change?.id ?? entry.id.text), id: id(of: entry), content(of: entry, change), at: place,
            isLocal: isLocal)
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

    /// Returns the entity tag for a change that was made on a delivered one.
    ///
    /// If the answer to that one had no tag, the change is compared with the service's model before
    /// it is sent. Another client may have changed the model between the two.
    func passedOn(_ validator: String?) -> String? {
        validator ?? (kind.readsBeforeEdits ? ValidatorChain.unknown : nil)
    }
}

extension DeliveryFailure {
    static func unreadable(_ kind: String) -> DeliveryFailure {
        DeliveryFailure(.unreadable, message: "the bytes of the entry are not a change of \(kind); edit or discard it")
    }
}
