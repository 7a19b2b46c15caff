internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The rows of one kind and account in an entity store, which is the source of truth.
///
/// An answer of a remote source goes into the store before it is shown. A row is put by
/// compare-and-set on the version of the look from before its request.
struct StoredModels<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let coding: ModelCoding<Model>
    let store: any EntityStore
    let clock: any WallClock
    /// The open requests to the remote source.
    let requests = RequestLog()
    let queue: WriteQueue
    /// The changes that are shown over the rows.
    let pending: PendingChanges<Model>
    /// nil if changes go straight to the service.
    let journal: PendingJournal<Model>?

    var kind: EntityKind<Model> { coding.kind }
    var account: Account? { coding.account }

    typealias WillCommit = @Sendable () -> Void

    /// A request to the remote source, with the look from before it.
    struct Request<Value: Sendable>: Sendable {
        let number: UInt64
        let look: StoreRead<Value>
        let willCommit: WillCommit

        /// The version of the account that the request knows.
        ///
        /// Without a look, as for a cancelled reader, it is `none`. Then every row that a request
        /// with a known version brought counts as newer, unless this process knows the order of the
        /// two requests.
        var basis: StoreVersion { look.mark?.store ?? .none }
    }

    /// - Parameter remote: nil if the store is the only source.
    func get(
        _ id: Model.ID, from remote: RemoteSource<Model>?, _ mode: CacheMode, _ found: StoreRead<Model>?,
        _ descent: Descent<Model>, _ willCommit: @escaping WillCommit
    ) async -> MarkedAnswer<Model> {
        let key = kind.key(id, of: account)
        guard let remote else { return await look(key).answer }
        return await answer(key, mode, found, willCommit) {
            await look(key)
        } ask: { mode in
            await remote.get(id, mode, by: descent)
        } keep: { kept, request in
            await keep(kept, request)
        }
    }

    /// Answers from the store, or asks the remote source and commits its answer.
    ///
    /// The source is asked if the mode wants more than the store has.
    ///
    /// - Parameter known: the look at the store; nil if there was none yet.
    func answer<Value: Sendable>(
        _ key: EntityKey, _ mode: CacheMode, _ known: StoreRead<Value>?, _ willCommit: @escaping WillCommit,
        look: () async -> StoreRead<Value>,
        ask: (CacheMode) async -> Snapshot<Value>,
        keep: (Snapshot<Value>.Kept, Request<Value>) async -> MarkedAnswer<Value>
    ) async -> MarkedAnswer<Value> {
        await requests.run { number in
            // The look comes before the request. Its version is the basis on which the answer is
            // resolved.
            let found = if let known { known } else { await look() }
            // A pending addition or deletion decides. The service would answer 404, or the deleted
            // model.
            if pending.shown(key.id).decides { return found.answer }
            if let settled = settled(found, mode) { return settled }
            // The HTTP cache below must not answer with a value that is stale for the store.
            var answer = await ask(mode == .normal && found.kept != nil ? .reload : mode)
            if mode == .normal, isBeforeDelivery(answer.kept) { answer = await ask(.reload) }
            if let kept = answer.kept {
                let isOld = kept.source == .httpCache && found.kept.map { $0.asOf >= kept.asOf } ?? false
                // The HTTP cache below may not know of a change that was delivered since.
                if isOld || isBeforeDelivery(kept) { return found.answer(else: kept, error: answer.error) }
                var kept = await keep(kept, Request(number: number, look: found, willCommit: willCommit))
                if let error = answer.error { kept.snapshot = Snapshot(kept: kept.snapshot.kept, error: error) }
                return kept
            }
            guard let error = answer.error else { return found.answer }
            if error.saysGone {
                // The store may tell of the removal before `remove` returns. Observers would be
                // told that nothing is kept, and the reason later.
                willCommit()
                var gone = await remove(key, number, found, answer)
                gone.hasOpenCommit = true
                return gone
            }
            // If the look has found nothing to show, its mark says how far that is known.
            let mark = found.kept == nil ? found.mark : nil
            if error.isAnswer || mode == .bypass { return MarkedAnswer(answer, mark: error.isAnswer ? nil : mark) }
            // A cache below without an answer is no failed refresh, and says nothing about the
            // store.
            return error.code == .nothingKept
                ? found.answer : MarkedAnswer(Snapshot(kept: found.kept, error: error), mark: found.mark)
        }
    }

    private func isBeforeDelivery<Value>(_ kept: Snapshot<Value>.Kept?) -> Bool {
        guard let kept, kept.source == .httpCache, let delivery = pending.read(\.lastDelivery) else { return false }
        return kept.asOf <= delivery
    }

    /// Returns the store's answer; nil if the remote source has to be asked.
    private func settled<Value: Sendable>(_ found: StoreRead<Value>, _ mode: CacheMode) -> MarkedAnswer<Value>? {
        guard let kept = found.kept else { return nil }
        switch mode {
        case .storedOnly: return found.answer
        case .normal where kept.isFresh(at: clock.now()): return found.answer
        default: return nil
        }
    }
}
