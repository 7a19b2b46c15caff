internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension StoredModels {
    /// The result of a change.
    struct WriteDecision: Sendable {
        let outcome: WriteOutcome<Model>
        /// nil if the service has not made the change.
        var taken: PendingEvent<Model>.ServiceEffect?
    }

    /// Puts the result of a delivered change into memory, past the store.
    ///
    /// Called if the store must not have the result or could not take it, and after each deletion.
    /// The snapshot has no value if the model is gone.
    typealias MemoryUpdate = @Sendable (Model.ID, Snapshot<Model>) -> Void

    /// Sends a change after the earlier changes of the same model have been decided.
    ///
    /// It runs to its end even if the caller is cancelled, because a sent request can't be taken
    /// back.
    func write(
        _ requested: ChangeRequest, _ mode: WriteMode, remember: @escaping MemoryUpdate,
        isClosed: @escaping @Sendable () -> Bool
    ) async throws(WriteFailure) -> (draft: Draft, decided: WriteDecision) {
        guard let write = remote?.write else { throw .noWriting }
        // Both places are taken at the call, so that changes lie over each other in the order in
        // which they are sent.
        let lane = UTF8Key(key(requested).id)
        let place = lanes.reserve(lane)
        let begun = queue.enqueue { [self] in await beginInTurn(requested, mode) }
        // Detached: a sent request can't be taken back, so a cancelled caller does not end it.
        let result = await Task.detached(executorPreference: queue.executor) { [self] in
            defer { lanes.leave(place) }
            let made: NewChange
            switch await begun.value {
            case .success(let begun): made = begun
            case .failure(let failure):
                return Result<(draft: Draft, decided: WriteDecision), WriteFailure>.failure(failure)
            }
            // Order of waiting: the turn, then the lane. A turn never waits for a lane, so the two
            // can't deadlock.
            await lanes.wait(for: place)
            // The change was begun and is shown. Without its settlement it would be shown for ever.
            if isClosed() {
                pending.apply(.settled(made.entry.id))
                return .failure(.closed)
            }
            return await sendMerging(made, write, remember).map { (made.draft, $0) }
        }.value
        return try result.get()
    }

    /// Sends a change without an outbox.
    ///
    /// If the service refuses the change because the model has changed, the change is merged and
    /// sent again. That is possible if both have changed different members, or if the kind's policy
    /// says so.
    private func sendMerging(
        _ made: NewChange, _ write: RemoteSource<Model>.Write, _ remember: MemoryUpdate
    ) async -> Result<WriteDecision, WriteFailure> {
        let entry = made.entry.id
        // Read after the lane's turn: the change before may have passed its new tag on.
        let validator = pending.change(entry)?.validator
        var next = await prepared(made.draft, validator, base: made.entry.base, nil, remember)
        var merges = 0
        while true {
            let sent = await requests.run { [next, merges] request in
                let result = await send(next, under: { _ in nil }, request, nil, write, remember)
                if merges < Self.mostMerges, case .send(let refused) = next, case .success(let decided) = result,
                    case .conflict(let theirs) = decided.outcome,
                    let merged = merged(refused.draft, of: refused.base, with: theirs)
                {
                    return SendResult.refused(merged)
                }
                var taken: PendingEvent<Model>.ServiceEffect?
                if case .success(let decided) = result { taken = decided.taken }
                pending.apply(.decided(entry, nil, taken, at: clock.now()))
                return .decided(result)
            }
            switch sent {
            case .decided(let result): return result
            case .refused(let merged): (next, merges) = (.send(merged), merges + 1)
            }
        }
    }

    private enum SendResult {
        case decided(Result<WriteDecision, WriteFailure>)
        /// The service's model has changed. The change, merged with that, is to be sent next.
        case refused(OutgoingChange)
    }

    /// Begins a change in its turn, so that it is made on the result of the one before.
    private func beginInTurn(_ requested: ChangeRequest, _ mode: WriteMode) async -> Result<NewChange, WriteFailure> {
        do throws(StoreError) {
            let made = try await make(requested, mode)
            if case .success(let made) = made { pending.apply(.begun(change(made.entry))) }
            return made
        } catch {
            return .failure(.unsent(failed(error, "read \(kind.name) \(key(requested).id)"), error))
        }
    }

    /// Sends a change, unless it is decided already.
    ///
    /// - Parameter key: returns the idempotency key of a draft.
    func send(
        _ prepared: PreparedChange, under key: @Sendable (Draft) -> IdempotencyKey?, _ request: UInt64,
        _ attempted: AttemptedChange?, _ write: RemoteSource<Model>.Write, _ remember: MemoryUpdate
    ) async -> Result<WriteDecision, WriteFailure> {
        switch prepared {
        case .send(let change):
            let draft = change.draft
            let answer = await write(draft.change(of: base(of: change), change.validator), key(draft))
            var result = await decide(draft, of: change.base, request, answer, attempted, remember: remember)
            if case .success(let decided) = result { result = .success(await checked(change, decided)) }
            return result.map { decided in
                var decided = decided
                // A later change was made on this one as it was before the merge. So it is compared
                // with the service's model too.
                if change.isMerged { decided.taken?.validator = ValidatorChain.unknown }
                return decided
            }
        case .decided(let decided): return .success(decided)
        case .failed(let failure): return .failure(failure)
        }
    }

    /// Returns the model on which an edit was made, under the id of the edited one.
    ///
    /// nil if it can't be read.
    private func base(of change: OutgoingChange) -> Model? {
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

    /// Decides the outcome of a change from the service's answer.
    ///
    /// - Parameter attempted: the attempt of a change in the outbox. Such a change is sent again if
    ///   it did not arrive, and is shown until then.
    private func decide(
        _ draft: Draft, of base: [UInt8]?, _ request: UInt64, _ answer: Snapshot<Model>, _ attempted: AttemptedChange?,
        remember: MemoryUpdate
    ) async -> Result<WriteDecision, WriteFailure> {
        let waits = attempted != nil
        guard let error = answer.error else {
            return .success(await take(draft, request, answer.kept, attempted, remember))
        }
        if error.response?.status.kind == .successful {
            // The change was made, but the answer about it can't be read.
            report(
                Incident(
                    .answerUnreadable, message: "\(kind.name) \(draft.key.id) was written, but \(error.message)",
                    cause: error))
            return .success(await take(draft, request, nil, attempted, remember))
        }
        if error.saysGone, draft.model == nil {
            return .success(await take(draft, request, nil, attempted, remember))
        }
        let failure = WriteFailure(error)
        if waits, !error.isAnswer || failure.code == .notDelivered || error.response?.status == .unauthorized {
            return .failure(failure)
        }
        guard error.isAnswer, failure.code != .notDelivered else {
            // The change may have been made all the same, so the model is asked for again.
            await makeStale(draft.key)
            return .failure(failure)
        }
        let status = error.response?.status.code
        // Some services answer so if a quota is used up.
        if waits, status == 403, let fields = error.response?.headerFields,
            QuotaFields.pause(in: fields, now: clock.now()) != nil
        {
            return .failure(failure)
        }
        switch status {
        case 409, 412:
            let theirs = await theirs(draft)
            if waits, let error = theirs.error, error.mayBeReadLater { return .failure(.unread(error)) }
            // A retry may find the result of its own earlier attempt (RFC 9110 §13.1.1).
            if let made = await takeMade(draft, of: base, in: theirs, request, attempted, remember) {
                return .success(made)
            }
            return .success(WriteDecision(outcome: .conflict(theirs: theirs)))
        case 404 where !draft.isAddition, 410 where !draft.isAddition:
            var gone = Snapshot<Model>(kept: nil, error: error)
            if error.response?.status.code == 404 {
                // A service may answer 404 to a method that it does not know.
                let theirs = await theirs(draft)
                if theirs.kept != nil { break }
                if waits, let error = theirs.error, error.mayBeReadLater { return .failure(.unread(error)) }
                if theirs.error?.saysGone == true { gone = gone.confirmed }
            }
            if let made = await takeMade(draft, of: base, in: gone, request, attempted, remember) {
                return .success(made)
            }
            await commitRemoval(draft.key, attempted)
            return .success(WriteDecision(outcome: .conflict(theirs: gone)))
        default: break
        }
        return .success(WriteDecision(outcome: .rejected(failure)))
    }

    /// Takes a change that the service has made.
    ///
    /// The service's answer goes into the store before the change is no longer shown.
    func take(
        _ draft: Draft, _ request: UInt64, _ kept: Snapshot<Model>.Kept?, _ attempted: AttemptedChange?,
        _ remember: MemoryUpdate
    ) async -> WriteDecision {
        guard let sentModel = draft.model else {
            await commitRemoval(draft.key, attempted)
            // A model that must not be stored is in memory alone.
            remember(draft.id, Snapshot(kept: nil))
            return WriteDecision(outcome: .delivered(nil), taken: .init())
        }
        // If the answer has no model, the sent one is shown. It is stale, so that the next read
        // asks for it.
        let unsaid = Snapshot<Model>.Kept(
            value: sentModel, source: .network, asOf: clock.now(), staleAt: .distantPast)
        let now = kept.map(lasting) ?? unsaid
        let validator = kept.flatMap(entityTag)
        let added = draft.isAddition ? kind.text(now.value.id) : nil
        var answer: AnsweredAddition?
        if let added, let attempted {
            answer = AnsweredAddition(attempted.entry, id: added, validator: validator, asOf: now.asOf)
        }
        // The row is committed before the pending change ends. In the other order observers would
        // see the old row for a moment.
        await commitTaken(now, validator, answer, request, attempted, remember)
        return WriteDecision(
            outcome: .delivered(kept?.value), taken: .init(validator: passedOn(validator), added: added))
    }

    /// Returns the entity tag for a change that was made on a delivered one.
    ///
    /// If the answer to that one had no tag, the change is compared with the service's model before
    /// it is sent. Another client may have changed the model between the two.
    func passedOn(_ validator: String?) -> String? {
        validator ?? (kind.readsBeforeEdits ? ValidatorChain.unknown : nil)
    }

    private func commitTaken(
        _ kept: Snapshot<Model>.Kept, _ validator: String?, _ answer: AnsweredAddition?, _ request: UInt64,
        _ attempted: AttemptedChange?, _ remember: MemoryUpdate
    ) async {
        let key = kind.key(kept.value.id, of: account)
        guard let row = row(kept, validator: validator) else {
            remember(kept.value.id, Snapshot(kept: kept))
            return await outdateRow(key, before: kept.asOf, attempted)
        }
        let isKept: Bool? = await queue.turn { [self] in
            // Checked in the turn, so that no change of this process comes between the check and
            // the commit.
            if await isOvertaken(attempted, row.key) { return nil }
            do throws(StoreError) {
                try await commitDelivered(row, answer, request)
                return true
            } catch {
                _ = failed(error, "keep \(kind.name)")
                return false
            }
        }
        switch isKept {
        case nil: await makeStale(key)
        case true?: break
        case false?: remember(kept.value.id, Snapshot(kept: kept))
        }
    }

    /// Marks a row that has the model from before a change whose result is not stored.
    ///
    /// The row stays for lists, other processes and the time without a network. No edit is made on
    /// it. A change that was made on the model is compared with the service's before it is sent
    /// (``ValidatorChain/unseen``).
    ///
    /// A row from a request that began after the change was sent is marked too. The origin may have
    /// answered that request before it took the change.
    ///
    /// - Parameter asOf: the `asOf` of the result. The row gets an earlier one.
    private func outdateRow(_ key: EntityKey, before asOf: WallTime, _ attempted: AttemptedChange?) async {
        let isLate = await queue.turn { [self] in
            if await isOvertaken(attempted, key) { return true }
            do throws(StoreError) {
                var state = try await store.state(of: key)
                while var row = state.row {
                    if queue.isEnded { throw .ended }
                    row.asOf = min(row.asOf, asOf - .nanoseconds(1))
                    (row.staleAt, row.validator, row.basis) = (
                        .distantPast, ValidatorChain.unseen, EntityRow.deliveredBasis
                    )
                    let outcome = try await store.commit([.put(row)], expecting: [key: state.version])
                    guard case .refused(let current) = outcome, let newer = current[key] else { break }
                    state = newer
                }
            } catch {
                _ = failed(error, "make \(kind.name) \(key.id) stale")
            }
            return false
        }
        if isLate { await makeStale(key) }
    }

    /// Puts the result of a delivered change into the store.
    ///
    /// It replaces any row, because that was read before the service took the change.
    private func commitDelivered(
        _ row: EntityRow, _ answer: AnsweredAddition?, _ request: UInt64
    ) async throws(StoreError) {
        let mark = answer.map { [EntityChange.put($0.row(answerKey($0.entry)))] } ?? []
        var state = try await store.state(of: row.key)
        while true {
            if queue.isEnded { throw .ended }
            var row = row
            row.basis = EntityRow.deliveredBasis
            // An answer that was committed since the change was sent, or an invalidation, may be
            // newer. So the model is asked for at the next read.
            let later = requests.request(of: row.key, at: state.version).map { $0 > request } ?? false
            if later || requests.isInvalidated(row, since: request) { row.staleAt = .distantPast }
            // The mark of the answered addition is in the same commit. A kill between two would
            // send the addition again.
            let outcome = try await store.commit([.put(row)] + mark, expecting: [row.key: state.version])
            guard case .refused(let current) = outcome, let newer = current[row.key] else { return }
            state = newer
        }
    }

    private func commitRemoval(_ key: EntityKey, _ attempted: AttemptedChange?) async {
        let isLate = await queue.turn { [self] in
            if await isOvertaken(attempted, key) { return true }
            do throws(StoreError) {
                if queue.isEnded { throw .ended }
                // Without an expected version: a delivered deletion beats each row.
                try await store.commit([.remove(key)])
            } catch {
                _ = failed(error, "remove \(kind.name) \(key.id)")
            }
            return false
        }
        if isLate { await makeStale(key) }
    }

    private func makeStale(_ key: EntityKey) async {
        do throws(StoreError) {
            _ = try await invalidate(.id(key.id))
        } catch {
            _ = failed(error, "make \(kind.name) \(key.id) stale")
        }
    }

    /// Reads the model that the service has now, and puts it into the store.
    func theirs(_ draft: Draft) async -> Snapshot<Model> {
        guard let remote else { return Snapshot(kept: nil, error: .nothingKept) }
        return await requests.run { number in
            let look = await look(draft.key)
            let answer = await (remote.getToCompare ?? remote.get)(draft.id, .reload)
            if answer.error?.saysGone == true { _ = await remove(draft.key, number, look, answer) }
            // A value that comes with an error is from a cache, and is not the service's present
            // model.
            guard answer.error == nil, let kept = answer.kept else { return Snapshot(kept: nil, error: answer.error) }
            let lasting = lasting(kept)
            _ = await keep(lasting, Request(number: number, look: look) {})
            return Snapshot(kept: lasting)
        }
    }

    /// Returns whether the service has the result of the change already.
    func isSame(_ draft: Draft, _ theirs: Snapshot<Model>) -> Bool {
        guard let mine = draft.bytes else { return theirs.error?.saysGone == true }
        guard !draft.isAddition, let kept = theirs.kept else { return false }
        do {
            return isSame(mine, try kind.codec.encode(kept.value))
        } catch {
            reportUnencodable("\(kind.name) \(draft.key.id)", error)
            return false
        }
    }

    /// Returns whether the bytes of two models say the same, in any order.
    ///
    /// Only the order of members may differ.
    func isSame(_ one: [UInt8], _ other: [UInt8]?) -> Bool {
        guard let other else { return false }
        guard let members = kind.codec.members, let a = members.split(one), let b = members.split(other) else {
            return one == other
        }
        return Set(a) == Set(b)
    }
}

extension Snapshot {
    /// The same for a model that is gone for certain.
    ///
    /// A change of the model and a read were both answered so.
    fileprivate var confirmed: Snapshot {
        guard let error else { return self }
        let gone = ReadFailure(
            .gone, message: error.message, cause: error, response: error.response, excerpt: error.excerpt)
        return Snapshot(kept: nil, error: gone)
    }
}

extension HTTPResponse {
    /// The entity tag, if it can be compared strongly, as `If-Match` does.
    ///
    /// See RFC 9110 §8.8.3.2 and §13.1.1.
    var strongValidator: String? {
        guard let tag = headerFields[.eTag], !tag.hasPrefix("W/") else { return nil }
        return tag
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
    /// Returns the failure of a change that is not sent, as the store can't be read.
    ///
    /// Without the entity tag and the row, the change could overwrite another client's.
    fileprivate static func unsent(_ failure: ReadFailure, _ error: StoreError) -> WriteFailure {
        WriteFailure(.storeFailed, message: "\(failure.message); nothing was sent", cause: error)
    }

    /// Returns the failure of a refused change that may have landed before.
    ///
    /// The model that the service has instead could not be read.
    fileprivate static func unread(_ error: ReadFailure) -> WriteFailure {
        // A 2xx is the status of the read, and says nothing about the change.
        let response = error.response.flatMap { $0.status.kind == .successful ? nil : $0 }
        return WriteFailure(
            .notDelivered, message: "the service refused the change, and its version can't be read: \(error.message)",
            cause: error, response: response)
    }

    static let noWriting = WriteFailure(
        .unsupported,
        message: "the source of this repository can only be read; give it `writing`")
    static let closed = WriteFailure(
        .closed, message: "the repository was closed with its stack; make it by a new stack")
}
