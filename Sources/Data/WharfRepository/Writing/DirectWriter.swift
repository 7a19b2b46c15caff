internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// Sends changes straight to the service, those of one model in order.
struct DirectWriter<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let maker: ChangeMaker<Model>
    private let lanes = KeyedAsyncMutex<UTF8Key>()

    init(_ maker: ChangeMaker<Model>) { self.maker = maker }

    private var models: StoredModels<Model> { maker.models }

    /// Sends a change after the earlier changes of the same model have been decided.
    ///
    /// It runs to its end even if the caller is cancelled, because a sent request can't be taken
    /// back.
    func write(
        _ requested: ChangeRequest<Model>, _ mode: WriteMode, by sender: ChangeSender<Model>,
        isClosed: @escaping @Sendable () -> Bool
    ) async throws(WriteFailure) -> (draft: ChangeDraft<Model>, decided: WriteDecision<Model>) {
        // Both places are taken at the call, so that changes lie over each other in the order in
        // which they are sent.
        let place = lanes.reserve(UTF8Key(maker.coding.key(requested).id))
        let begun = models.queue.enqueue { [self] () throws(WriteFailure) in try await beginInTurn(requested, mode) }
        // Detached: a sent request can't be taken back, so a cancelled caller does not end it.
        return try await models.queue.shielded { [self] () throws(WriteFailure) in
            defer { lanes.leave(place) }
            let made = try await begun.value.get()
            // Order of waiting: the turn, then the lane. A turn never waits for a lane, so the two
            // can't deadlock.
            await lanes.wait(for: place)
            // The change was begun and is shown. Without its settlement it would be shown for ever.
            if isClosed() {
                models.pending.apply(.settled(made.entry.id))
                throw .closed
            }
            return (made.draft, try await sendMerging(made, by: sender))
        }
    }

    /// Sends a change without an outbox.
    ///
    /// If the service refuses the change because the model has changed, the change is merged and
    /// sent again. That is possible if both have changed different members, or if the kind's policy
    /// says so.
    private func sendMerging(
        _ made: ChangeMaker<Model>.NewChange, by sender: ChangeSender<Model>
    ) async throws(WriteFailure) -> WriteDecision<Model> {
        let entry = made.entry.id
        // Read after the lane's turn: the change before may have passed its new tag on.
        let validator = models.pending.change(entry)?.validator
        var next = await sender.prepared(made.draft, validator, base: made.entry.base, nil)
        var merges = 0
        while true {
            let (result, merged) = await models.requests.run {
                [next, merges] request -> (Result<WriteDecision<Model>, WriteFailure>, OutgoingChange<Model>?) in
                let result = await Result(of: { () async throws(WriteFailure) in
                    try await sender.send(next, under: { _ in nil }, request, nil)
                })
                if merges < Self.mostMerges, case .send(let refused) = next, case .success(let decided) = result,
                    case .conflict(let theirs) = decided.outcome,
                    let merged = sender.merge.merged(refused.draft, of: refused.base, with: theirs)
                {
                    return (result, merged)
                }
                var taken: PendingEvent<Model>.ServiceEffect?
                if case .success(let decided) = result { taken = decided.taken }
                models.pending.apply(.decided(entry, nil, taken, at: models.clock.now()))
                return (result, nil)
            }
            // The service's model has changed. The change, merged with that, is sent next.
            guard let merged else { return try result.get() }
            (next, merges) = (.send(merged), merges + 1)
        }
    }

    /// Begins a change in its turn, so that it is made on the result of the one before.
    private func beginInTurn(
        _ requested: ChangeRequest<Model>, _ mode: WriteMode
    ) async throws(WriteFailure) -> ChangeMaker<Model>.NewChange {
        let made: Result<ChangeMaker<Model>.NewChange, WriteFailure>
        do throws(StoreError) { made = try await maker.make(requested, mode) } catch {
            let (coding, id) = (maker.coding, maker.coding.key(requested).id)
            throw .unsent(coding.failed(error, "read \(coding.kind.name) \(id)"), error)
        }
        let change = try made.get()
        models.pending.apply(.begun(maker.coding.change(change.entry, isLocal: true)))
        return change
    }

    /// The most merges of one change.
    ///
    /// After these, one more change of another client is a conflict.
    private static var mostMerges: Int { 8 }
}

extension WriteFailure {
    /// Returns the failure of a change that is not sent, as the store can't be read.
    ///
    /// Without the entity tag and the row, the change could overwrite another client's.
    fileprivate static func unsent(_ failure: ReadFailure, _ error: StoreError) -> WriteFailure {
        WriteFailure(.storeFailed, message: "\(failure.message); nothing was sent", cause: error)
    }
}
