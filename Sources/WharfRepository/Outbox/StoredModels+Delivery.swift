internal import WharfCore

extension StoredModels {
    /// What an entry asks for.
    func draft(_ entry: OutboxEntry) throws(DeliveryFailure) -> Draft {
        guard entry.kind == WaitingChange.kind(of: kind.name), let change = WaitingChange(entry.payload) else {
            throw .unreadable(kind.name)
        }
        let key = EntityKey(account: account, kind: kind.name, id: change.id)
        do {
            guard change.operation == .delete else {
                let model = try kind.codec.decode(change.bytes, change.schema)
                return Draft(
                    id: model.id, key: key, model: model, bytes: change.bytes, isAddition: change.operation == .add)
            }
            let id = try kind.parsing?(change.id) ?? entry.base.map { try kind.codec.decode($0, change.schema).id }
            guard let id, kind.text(id) == change.id else { throw DeliveryFailure.unreadable(kind.name) }
            return Draft(id: id, key: key, model: nil, bytes: nil, isAddition: false)
        } catch let failure as DeliveryFailure {
            throw failure
        } catch {
            throw DeliveryFailure(
                .unreadable,
                message:
                    "expected a \(kind.name) of schema \(change.schema) that its codec can read, but it threw: \(error); "
                    + "edit or discard it")
        }
    }

    /// Asks the service for a change, and takes in what it says.
    ///
    /// - Returns: nil beside the answer where the change goes on waiting.
    func deliver(
        _ entry: OutboxEntry, _ draft: Draft
    ) async throws(DeliveryFailure) -> (delivery: Delivery, decided: Decided?) {
        guard let waiting, let write = remote?.write, !line.isEnded else {
            throw DeliveryFailure(.offline, message: "the account of this repository was signed out")
        }
        do throws(DeliveryFailure) {
            return try await attempt(entry, draft, write, in: waiting)
        } catch {
            waiting.answered(entry.id, error)
            throw error
        }
    }

    private func attempt(
        _ entry: OutboxEntry, _ draft: Draft, _ write: RemoteSource<Model>.Write, in waiting: WaitingChanges<Model>
    ) async throws(DeliveryFailure) -> (delivery: Delivery, decided: Decided?) {
        // After the turn in which it was enqueued it is known here, unless another process has done that.
        let number = await line.turn { [self] in
            do throws(StoreError) {
                try await restoreWaiting()
            } catch {
                return Result<UInt64?, StoreError>.failure(error)
            }
            begin(entry, in: waiting)
            return .success(waiting.change(entry.id)?.number)
        }
        guard case .success(let number?) = number else {
            throw DeliveryFailure(.offline, message: "the journal can't be read now")
        }
        waiting.sending(entry.id)
        let chain = WaitingChange(entry.payload)?.chain ?? entry.id.text
        let validator = try await validator(of: number, draft.key, in: chain, waiting)
        return await line.ask { sent in
            let answer = await write(draft.change(validator), entry.key)
            switch await decide(draft, number, sent, answer, waits: true) {
            case .failure(let failure):
                let verdict = verdict(failure)
                if let failure = verdict.failure { waiting.answered(entry.id, failure) }
                return (Delivery(verdict), nil)
            case .success(let decided):
                let delivery = delivery(draft, decided, on: validator, in: chain)
                waiting.decided(entry.id, decided.outcome, delivery.verdict.failure)
                return (delivery, decided)
            }
        }
    }

    /// The entity tag of what a change was made on, or of what the changes before it have made of that, also in another process.
    private func validator(
        of number: UInt64, _ key: EntityKey, in chain: String, _ waiting: WaitingChanges<Model>
    ) async throws(DeliveryFailure) -> String? {
        var validator = pending.validator(of: number, key)
        // A service that makes tags of what is in a model may come back to one.
        var passed: Set<String> = []
        do throws(StoreError) {
            while let known = validator, passed.insert(known).inserted {
                let name = WaitingChange.name(ofValidator: known, in: chain)
                guard let next = try await waiting.outbox.store.assignedIDs(for: [name], of: account)[name] else {
                    break
                }
                validator = next.isEmpty ? nil : next
            }
        } catch {
            throw DeliveryFailure(.offline, message: "the journal can't be read now: \(error.message)")
        }
        return validator
    }

    /// - Parameter validator: of what the change was made on; those that wait were made on what has come of it.
    private func delivery(
        _ draft: Draft, _ decided: Decided, on validator: String?, in chain: String
    ) -> Delivery {
        switch decided.outcome {
        case .delivered(let model):
            var ids: [String: String] = [:]
            if let model, kind.text(model.id) != draft.key.id { ids[draft.key.id] = kind.text(model.id) }
            // In the same transaction as the settlement: who comes after a kill makes no conflict of it.
            if let validator, !pending.waiting(draft.key.id).isEmpty {
                ids[WaitingChange.name(ofValidator: validator, in: chain)] = decided.validator ?? ""
            }
            return Delivery(.delivered, assignedIDs: ids)
        case .conflict(let theirs):
            let failure = DeliveryFailure(
                .conflict,
                message:
                    "\(kind.name) \(draft.key.id) was changed by somebody else meanwhile; merge it with what they made of it, "
                    + "or discard it")
            return Delivery(.conflict(failure, theirs: bytes(theirs)))
        case .rejected(let failure), .unknown(let failure):
            return Delivery(
                .rejected(
                    DeliveryFailure(.rejected, message: failure.message, status: failure.response?.status.code)))
        }
    }

    private func bytes(_ theirs: Snapshot<Model>) -> [UInt8]? {
        guard let model = theirs.value else { return nil }
        do {
            return try kind.codec.encode(model)
        } catch {
            reportUnencodable("\(kind.name) \(kind.text(model.id))", error)
            return nil
        }
    }

    /// Of a change that goes on waiting, or can't be sent at all.
    private func verdict(_ failure: WriteFailure) -> Delivery.Verdict {
        let excerpt = String(decoding: failure.excerpt.prefix(200), as: UTF8.self)
        if let response = failure.response { return .init(response, excerpt: excerpt, now: clock.now()) }
        if failure.code == .unencodable || failure.code == .unsupported {
            return .rejected(DeliveryFailure(.rejected, message: failure.message))
        }
        // A read's failure has the name of the transport's.
        let code = (failure.cause as? ReadFailure)?.code.name ?? failure.code.name
        return .init(TransportError(.init(code), message: failure.message), now: clock.now())
    }
}

extension Delivery.Verdict {
    /// Why it was not delivered.
    fileprivate var failure: DeliveryFailure? {
        switch self {
        case .delivered: nil
        case .retry(let failure, _), .offline(let failure), .needsAuthentication(let failure),
            .conflict(let failure, _), .rejected(let failure):
            failure
        }
    }
}

extension DeliveryFailure {
    static func unreadable(_ kind: String) -> DeliveryFailure {
        DeliveryFailure(
            .unreadable, message: "expected a change of \(kind), found bytes that are none; edit or discard it")
    }
}
