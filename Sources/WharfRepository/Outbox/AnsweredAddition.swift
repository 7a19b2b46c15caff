internal import WharfCore

/// The answer of the service to an addition that the journal has not settled yet.
///
/// It is committed with the row of the model, and removed with the settlement. If the process is killed between the two, the next
/// one neither sends the addition again nor shows the model a second time under the id that the app has given it.
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
        guard let texts = ListRow.ids(row), texts.count == 2 else { return nil }
        self.init(
            OutboxEntry.ID(row.key.id), id: texts[0], validator: texts[1].isEmpty ? nil : texts[1], asOf: row.asOf)
    }

    func row(_ key: EntityKey) -> EntityRow {
        EntityRow(key: key, schema: ListRow.schema, bytes: ListRow.bytes([id, validator ?? ""]), asOf: asOf)
    }

    static func kind(of name: String) -> String { name + "/answered" }
}

extension StoredModels {
    func answerKey(_ entry: OutboxEntry.ID) -> EntityKey {
        EntityKey(account: account, kind: AnsweredAddition.kind(of: kind.name), id: entry.text)
    }

    /// The answers that the store has to additions, whichever process has received them.
    func answers(
        to additions: [OutboxEntry.ID]
    ) async throws(StoreError) -> [OutboxEntry.ID: AnsweredAddition] {
        if additions.isEmpty { return [:] }
        var answers: [OutboxEntry.ID: AnsweredAddition] = [:]
        for state in try await store.states(of: additions.map(answerKey)).states.values {
            if let answer = state.row.flatMap(AnsweredAddition.init) { answers[answer.entry] = answer }
        }
        return answers
    }

    /// The events that an answer is, for an addition under an id: other changes of the model go on under the id of the answer.
    func events(
        _ answer: AnsweredAddition, toAdditionOf id: String, in journal: PendingJournal
    ) async throws(StoreError) -> [PendingEvent<Model>] {
        let taken = PendingEvent<Model>.Taken(validator: answer.validator, added: answer.id)
        let event = PendingEvent<Model>.received(answer.entry, taken, at: answer.asOf)
        guard kind.identify != nil, answer.id != id else { return [event] }
        return [event] + (try await moved(id, to: answer.id, in: journal))
    }

    /// Folds in the answers that the store has to the additions of a model.
    ///
    /// Call it in a turn of the queue. Another process may have received them, and it may not have settled them yet.
    func receiveAnswers(toAdditionsOf id: String, in journal: PendingJournal) async throws(StoreError) {
        let additions = pending.open(id).filter(\.content.isAddition).map(\.entry)
        for answer in try await answers(to: additions).values {
            pending.apply(try await events(answer, toAdditionOf: id, in: journal))
        }
    }
}
