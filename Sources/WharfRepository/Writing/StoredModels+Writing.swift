internal import WharfCore

extension StoredModels {
    /// A change before it is sent.
    struct Draft: Sendable {
        let key: EntityKey
        /// nil for a deletion.
        let model: Model?
        let bytes: [UInt8]?
        let isAddition: Bool
        let change: @Sendable (_ validator: String?) -> RemoteChange<Model>
    }

    func draft(_ model: Model, isAddition: Bool) throws(WriteFailure) -> Draft {
        do {
            return Draft(
                key: kind.key(model.id, of: account), model: model, bytes: try kind.codec.encode(model),
                isAddition: isAddition
            ) { validator in
                isAddition ? .add(model) : .edit(model, validator: validator)
            }
        } catch {
            throw WriteFailure(
                .unencodable,
                message: "expected a \(kind.name) that its codec can encode, but it threw: \(error); nothing was sent",
                cause: error)
        }
    }

    func draft(deleting id: Model.ID) -> Draft {
        Draft(key: kind.key(id, of: account), model: nil, bytes: nil, isAddition: false) { validator in
            .delete(id, validator: validator)
        }
    }

    /// Sends a change when those of the same model that were made before it have been decided.
    ///
    /// Runs to its end also when the caller is cancelled: nobody can take back what was sent.
    func write(_ draft: Draft, _ mode: WriteMode) async throws(WriteFailure) -> WriteOutcome<Model> {
        guard let write = remote?.write else { throw .noWriting }
        let lane = StoredText(text: draft.key.id)
        let place = lanes.place(in: lane)
        let result = await Task.detached { [self] in
            defer { lanes.leave(place, in: lane) }
            let number = await begin(draft, mode)
            await lanes.turn(of: place, in: lane)
            let answer = await write(draft.change(pending.validator(of: number, draft.key)))
            return await decide(draft, number, answer)
        }.value
        return try result.get()
    }

    /// In a turn, so that it is made on what the change before it has made.
    private func begin(_ draft: Draft, _ mode: WriteMode) async -> UInt64 {
        await line.turn { [self] in
            let row: EntityRow?
            do throws(StoreError) {
                row = try await store.row(draft.key)
            } catch {
                _ = failed(error, "read \(kind.name) \(draft.key.id)")
                row = nil
            }
            var overlay: Overlay?
            if mode == .optimistic {
                overlay = draft.bytes.map {
                    Overlay(from: base(row, draft.key), to: $0, schema: kind.codec.schema, kind.codec.members)
                }
                overlay = overlay ?? .deletion
            }
            return pending.begin(
                draft.key, overlay, isAddition: draft.isAddition, at: clock.now(), validator: row?.validator)
        }
    }

    private func decide(
        _ draft: Draft, _ number: UInt64, _ answer: Snapshot<Model>
    ) async -> Result<WriteOutcome<Model>, WriteFailure> {
        guard let error = answer.error else {
            await take(draft, number, answer.kept)
            return .success(.delivered(answer.kept?.value))
        }
        if error.saysGone, draft.model == nil {
            await take(draft, number, nil)
            return .success(.delivered(nil))
        }
        guard error.isAnswer else {
            pending.end(number, draft.key)
            return .failure(WriteFailure(error))
        }
        switch error.response?.status.code {
        case 409, 412:
            let theirs = await theirs(draft)
            pending.end(number, draft.key)
            return .success(.conflict(theirs: theirs))
        case 404, 410:
            // A ticket of now: what was asked for before may not know it yet.
            if !draft.isAddition { await line.ask { ticket in _ = await commit([.remove(draft.key)], ticket) } }
        default: break
        }
        pending.end(number, draft.key)
        let failure = WriteFailure(error)
        return failure.code == .notDelivered ? .failure(failure) : .success(.rejected(failure))
    }

    /// The service has it: what it says of it is in the store before the change is shown no longer.
    private func take(_ draft: Draft, _ number: UInt64, _ kept: Snapshot<Model>.Kept?) async {
        var validator: String?
        await line.ask { ticket in
            guard let model = kept?.value ?? draft.model else {
                await commit([.remove(draft.key)], ticket)
                return
            }
            // Where it does not say what it made of it, what was sent is shown, and asked for at the next read.
            let now = kept ?? .init(value: model, source: .network, asOf: clock.now(), staleAt: .distantPast)
            validator = now.response?.strongValidator
            await commitDelivered(now, ticket)
        }
        pending.end(number, draft.key, delivered: .some(validator))
    }

    private func commitDelivered(_ kept: Snapshot<Model>.Kept, _ ticket: CommitLine.Ticket) async {
        let lasting = kept.staleAt == .distantPast ? kept : lasting(kept)
        guard let row = row(lasting) else { return }
        await commit([.put(row)], ticket)
    }

    /// What the service has in the place of a change that it did not take; it goes into the store.
    private func theirs(_ draft: Draft) async -> Snapshot<Model> {
        guard let id = draft.id, let remote else { return Snapshot(kept: nil, error: .nothingKept) }
        return await line.ask { ticket in
            let answer = await remote.get(id, .reload)
            if let kept = answer.kept {
                let lasting = lasting(kept)
                if let row = row(lasting) { await commit([.put(row)], ticket) }
                return Snapshot(kept: lasting, error: answer.error)
            }
            if answer.error?.saysGone == true { await commit([.remove(draft.key)], ticket) }
            return answer
        }
    }
}

extension StoredModels.Draft {
    fileprivate var id: Model.ID? {
        switch change(nil) {
        case .add(let model), .edit(let model, _): model.id
        case .delete(let id, _): id
        }
    }
}

extension HTTPResponse {
    /// The entity tag, where it can be compared strongly, as `If-Match` does (RFC 9110 §8.8.3.2, §13.1.1).
    var strongValidator: String? {
        guard let tag = headerFields[.eTag], !tag.hasPrefix("W/") else { return nil }
        return tag
    }
}

extension WriteFailure {
    static let noWriting = WriteFailure(
        .unsupported,
        message: "expected a source that can be written to, but this one was made for reading; give it `writing`")
    static let closed = WriteFailure(
        .closed, message: "the repository was closed with the stack that it belongs to; take one of a new stack")
}
