internal import WharfCore
internal import WharfStorage

/// The service's answer to an addition that is not settled in the journal yet.
///
/// It is committed with the row of the model, and removed with the settlement. If the process is
/// killed between the two, the next process does not send the addition again. It does not show the
/// model a second time either, under the temporary id.
struct AnsweredAddition: Hashable {
    let entry: OutboxEntry.ID
    /// The id of the model at the service.
    let id: String
    let validator: String?
    let asOf: WallTime

    init(_ entry: OutboxEntry.ID, id: String, validator: String?, asOf: WallTime) {
        (self.entry, self.id, self.validator, self.asOf) = (entry, id, validator, asOf)
    }

    /// nil if the row has something else.
    init?(_ row: EntityRow) {
        // A row of another layout, as of a later version, counts as no answer. The addition is then
        // sent again under its key.
        guard let texts = ListRow.ids(row), texts.count == 2 else { return nil }
        self.init(
            OutboxEntry.ID(row.key.id), id: texts[0], validator: texts[1].isEmpty ? nil : texts[1], asOf: row.asOf)
    }

    func row(_ key: EntityKey) -> EntityRow {
        // An empty text stands for no tag: a tag has at least its quotes (RFC 9110 §8.8.3).
        EntityRow(key: key, schema: ListRow.schema, bytes: ListRow.bytes([id, validator ?? ""]), asOf: asOf)
    }

    static func kind(of name: String) -> String { name + "/answered" }
}

extension StoredModels {
    func answerKey(_ entry: OutboxEntry.ID) -> EntityKey {
        EntityKey(account: account, kind: AnsweredAddition.kind(of: kind.name), id: entry.text)
    }

    /// Returns the stored answers to additions, including those of other processes.
    func answers(
        to additions: [OutboxEntry.ID]
    ) async throws(StoreError) -> [OutboxEntry.ID: AnsweredAddition] {
        // Most journals have no waiting addition, and then cost no read of the store.
        if additions.isEmpty { return [:] }
        var answers: [OutboxEntry.ID: AnsweredAddition] = [:]
        for row in try await store.rows(additions.map(answerKey)).values {
            if let answer = AnsweredAddition(row) { answers[answer.entry] = answer }
        }
        return answers
    }

    /// Turns the answer to an addition into events.
    ///
    /// The other changes of the model move from the temporary id to the given one.
    func events(
        _ answer: AnsweredAddition, toAdditionOf id: String, in journal: PendingJournal
    ) async throws(StoreError) -> [PendingEvent<Model>] {
        let taken = PendingEvent<Model>.ServiceEffect(validator: passedOn(answer.validator), added: answer.id)
        let event = PendingEvent<Model>.received(answer.entry, taken, at: answer.asOf)
        // The service has kept the id, or the kind can't put another one into its models. No change
        // moves.
        guard kind.identify != nil, answer.id != id else { return [event] }
        return [event] + (try await moved(id, to: answer.id, in: journal))
    }

    /// Folds in the stored answers to the additions of a model.
    ///
    /// Another process may have received an answer, and not settled it yet. Call this in a turn of
    /// the queue.
    func receiveAnswers(toAdditionsOf id: String, in journal: PendingJournal) async throws(StoreError) {
        let additions = pending.open(id).filter(\.content.isAddition).map(\.entry)
        for answer in try await answers(to: additions).values {
            // In one step. Between the decision and the moves, a reader would see the model without
            // its later changes.
            pending.apply(try await events(answer, toAdditionOf: id, in: journal))
        }
    }
}
