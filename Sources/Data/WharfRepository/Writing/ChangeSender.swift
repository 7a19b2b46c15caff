internal import WharfCore
internal import WharfStorage

/// Sends a change to the service, and decides its outcome.
///
/// The service's answer goes into the store.
struct ChangeSender<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>
    let delivered: DeliveredRows<Model>
    let merge: ChangeMerge<Model>
    private let remote: RemoteSource<Model>
    private let write: RemoteSource<Model>.Write
    let remember: MemoryUpdate<Model>

    var coding: ModelCoding<Model> { models.coding }
    var kind: EntityKind<Model> { models.kind }

    /// nil if the source can't be written to.
    init?(
        _ models: StoredModels<Model>, _ invalidation: RowInvalidation<Model>, to remote: RemoteSource<Model>?,
        remember: @escaping MemoryUpdate<Model>
    ) {
        guard let remote, let write = remote.write else { return nil }
        (self.models, self.remote, self.write, self.remember) = (models, remote, write, remember)
        delivered = DeliveredRows(models: models, invalidation: invalidation)
        merge = ChangeMerge(coding: models.coding)
    }

    /// Sends a change, unless it is decided already.
    ///
    /// - Parameter key: returns the idempotency key of a draft.
    func send(
        _ prepared: PreparedChange, under key: @Sendable (ChangeDraft<Model>) -> IdempotencyKey?, _ request: UInt64,
        _ attempted: AttemptedChange?
    ) async throws(WriteFailure) -> WriteDecision<Model> {
        switch prepared {
        case .send(let change):
            let draft = change.draft
            let answer = await write(draft.change(of: base(of: change), change.validator), key(draft))
            var decided = try await decide(draft, of: change.base, request, answer, attempted)
            decided = await checked(change, decided)
            // A later change was made on this one as it was before the merge. So it is compared
            // with the service's model too.
            if change.isMerged { decided.taken?.validator = ValidatorChain.unknown }
            return decided
        case .decided(let decided): return decided
        case .failed(let failure): throw failure
        }
    }

    /// Returns the model on which an edit was made, under the id of the edited one.
    ///
    /// nil if it can't be read.
    private func base(of change: OutgoingChange<Model>) -> Model? {
        guard let bytes = change.base, change.draft.model != nil, !change.draft.isAddition else { return nil }
        do {
            let base = try kind.codec.decode(bytes, kind.codec.schema)
            guard kind.text(base.id) != change.draft.key.id else { return base }
            return kind.identify?(base, change.draft.id)
        } catch {
            // Without its base, the edit is sent as a whole.
            return nil
        }
    }

    /// Reads the model that the service has now, and puts it into the store.
    func theirs(_ draft: ChangeDraft<Model>) async -> Snapshot<Model> {
        await models.requests.run { number in
            let look = await models.look(draft.key)
            let answer = await (remote.getToCompare ?? remote.get)(draft.id, .reload)
            if answer.error?.saysGone == true { _ = await models.remove(draft.key, number, look, answer) }
            // A value that comes with an error is from a cache, and is not the service's present
            // model.
            guard answer.error == nil, let kept = answer.kept else { return Snapshot(kept: nil, error: answer.error) }
            let lasting = coding.lasting(kept)
            _ = await models.keep(lasting, StoredModels.Request(number: number, look: look) {})
            return Snapshot(kept: lasting)
        }
    }
}

// MARK: Deciding

extension ChangeSender {
    /// Decides the outcome of a change from the service's answer.
    ///
    /// - Parameter attempted: the attempt of a change in the outbox. Such a change is sent again if
    ///   it did not arrive, and is shown until then.
    private func decide(
        _ draft: ChangeDraft<Model>, of base: [UInt8]?, _ request: UInt64, _ answer: Snapshot<Model>,
        _ attempted: AttemptedChange?
    ) async throws(WriteFailure) -> WriteDecision<Model> {
        let waits = attempted != nil
        guard let error = answer.error else { return await take(draft, request, answer.kept, attempted) }
        if error.response?.status.kind == .successful {
            // The change was made, but the answer about it can't be read.
            coding.report(
                Incident(
                    .answerUnreadable, message: "\(kind.name) \(draft.key.id) was written, but \(error.message)",
                    cause: error))
            return await take(draft, request, nil, attempted)
        }
        if error.saysGone, draft.model == nil { return await take(draft, request, nil, attempted) }
        let failure = WriteFailure(error)
        if waits, !error.isAnswer || failure.code == .notDelivered || error.response?.status == .unauthorized {
            throw failure
        }
        guard error.isAnswer, failure.code != .notDelivered else {
            // The change may have been made all the same, so the model is asked for again.
            await delivered.makeStale(draft.key)
            throw failure
        }
        let status = error.response?.status.code
        // Some services answer so if a quota is used up.
        if waits, status == 403, let fields = error.response?.headerFields,
            QuotaFields.pause(in: fields, now: models.clock.now()) != nil
        {
            throw failure
        }
        switch status {
        case 409, 412:
            let theirs = await theirs(draft)
            if waits, let error = theirs.error, error.mayBeReadLater { throw .unread(error) }
            // A retry may find the result of its own earlier attempt (RFC 9110 §13.1.1).
            if let made = await takeMade(draft, of: base, in: theirs, request, attempted) { return made }
            return WriteDecision(outcome: .conflict(theirs: theirs))
        case 404 where !draft.isAddition, 410 where !draft.isAddition:
            var gone = Snapshot<Model>(kept: nil, error: error)
            if error.response?.status.code == 404 {
                // A service may answer 404 to a method that it does not know.
                let theirs = await theirs(draft)
                if theirs.kept != nil { break }
                if waits, let error = theirs.error, error.mayBeReadLater { throw .unread(error) }
                if theirs.error?.saysGone == true {
                    // Gone for certain: a change of the model and a read were both answered so.
                    let certain = ReadFailure(
                        .gone, message: error.message, cause: error, response: error.response, excerpt: error.excerpt)
                    gone = Snapshot(kept: nil, error: certain)
                }
            }
            if let made = await takeMade(draft, of: base, in: gone, request, attempted) { return made }
            await delivered.remove(draft.key, attempted)
            return WriteDecision(outcome: .conflict(theirs: gone))
        default: break
        }
        return WriteDecision(outcome: .rejected(failure))
    }

    /// Takes a change that the service has made.
    ///
    /// The service's answer goes into the store before the change is no longer shown.
    private func take(
        _ draft: ChangeDraft<Model>, _ request: UInt64, _ kept: Snapshot<Model>.Kept?, _ attempted: AttemptedChange?
    ) async -> WriteDecision<Model> {
        guard let sentModel = draft.model else {
            await delivered.remove(draft.key, attempted)
            // A model that must not be stored is in memory alone.
            remember(draft.id, Snapshot(kept: nil))
            return WriteDecision(outcome: .delivered(nil), taken: .init())
        }
        // If the answer has no model, the sent one is shown. It is stale, so that the next read
        // asks for it.
        let unsaid = Snapshot<Model>.Kept(
            value: sentModel, source: .network, asOf: models.clock.now(), staleAt: .distantPast)
        let now = kept.map(coding.lasting) ?? unsaid
        let validator = kept.flatMap(coding.entityTag)
        let added = draft.isAddition ? kind.text(now.value.id) : nil
        var answer: AnsweredAddition?
        if let added, let attempted {
            answer = AnsweredAddition(attempted.entry, id: added, validator: validator, asOf: now.asOf)
        }
        // The row is committed before the pending change ends. In the other order observers would
        // see the old row for a moment.
        await delivered.put(now, validator, answer, request, attempted, remember)
        return WriteDecision(
            outcome: .delivered(kept?.value), taken: .init(validator: coding.passedOn(validator), added: added))
    }

    /// Takes a change for delivered if there is nothing left to send.
    ///
    /// There are two cases:
    ///
    /// - The service has the result of the change: an earlier attempt has arrived, or another
    ///   client has made the same change. The service may have other new members too, such as the
    ///   time of the last change.
    /// - The kind's policy gives the change up for the model of the service.
    func takeMade(
        _ draft: ChangeDraft<Model>, of base: [UInt8]?, in theirs: Snapshot<Model>, _ request: UInt64,
        _ attempted: AttemptedChange?
    ) async -> WriteDecision<Model>? {
        if merge.isSame(draft, theirs) { return await take(draft, request, theirs.kept, attempted) }
        guard let left = merge.remains(of: draft, of: base, in: theirs) else { return nil }
        var decided = await take(left, request, theirs.kept, attempted)
        // A later change was made without the other members. So it is compared with the service's
        // model before it is sent.
        decided.taken?.validator = ValidatorChain.unknown
        return decided
    }
}

extension ReadFailure {
    /// Whether the same read may succeed another time.
    ///
    /// There was no answer, or one that asks for another try.
    var mayBeReadLater: Bool {
        let unreadable: [Code] = [.noData, .undecodable, .unmappable, .tooLarge, .nothingKept]
        return !saysGone && WriteFailure(self).code == .notDelivered && !unreadable.contains(code)
    }
}

extension WriteFailure {
    /// Returns the failure of a refused change that may have landed before.
    ///
    /// The model that the service has instead could not be read.
    fileprivate static func unread(_ error: ReadFailure) -> WriteFailure {
        unread(.notDelivered, "the service refused the change, and its version can't be read: \(error.message)", error)
    }

    /// Returns the failure of a change that could not be compared with the service's model.
    static func unsent(_ kind: String, _ error: ReadFailure) -> WriteFailure {
        unread(
            WriteFailure(error).code,
            "the change of \(kind) was not sent: without an entity tag the service's version is read first, and this "
                + "read failed: \(error.message)", error)
    }

    private static func unread(_ code: Code, _ message: String, _ error: ReadFailure) -> WriteFailure {
        // A 2xx is the status of the read, and says nothing about the change.
        let response = error.response.flatMap { $0.status.kind == .successful ? nil : $0 }
        return WriteFailure(code, message: message, cause: error, response: response)
    }

    static let noWriting = WriteFailure(
        .unsupported,
        message: "the source of this repository can only be read; give it `writing`")
    static let closed = WriteFailure(
        .closed, message: "the repository was closed with its stack; make it by a new stack")
}
