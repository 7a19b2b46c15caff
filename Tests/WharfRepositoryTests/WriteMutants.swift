import Synchronization
import WharfCore
import WharfRepository
import WharfTesting

/// A repository that writes wrongly in one way, and the words of the law that must notice.
struct WriteMutant: Sendable, CustomStringConvertible {
    typealias Note = WriteLaws.Note

    let description: String
    let breaks: String
    var source: @Sendable (RemoteSource<Note>) -> RemoteSource<Note> = { $0 }
    var codec = Note.codec
    var mode: @Sendable (WriteMode) -> WriteMode = { $0 }
    var outcome:
        @Sendable (Result<WriteOutcome<Note>, WriteFailure>, Note?) -> Result<WriteOutcome<Note>, WriteFailure> =
            { outcome, _ in outcome }

    var order: Order?

    /// What a mutant does at the wrong time.
    enum Order: Sendable { case believesEveryAnswer, sendsAtOnce, sendsAgainWhenCancelled }

    var subject: WriteLaws.Subject {
        .init(description) { source, clock in
            let kind = EntityKind("note", codec: codec)
            let base = StoredRepository(kind, in: FaultyEntityStore(), remote: self.source(source), clock: clock)
            return Mutated(base: base, source: source, mutant: self)
        }
    }

    static let all: [WriteMutant] = [
        .init(
            description: "says what was sent", breaks: "the next read finds",
            source: { source in
                source.writing { change in
                    guard case .delete = change else { return await source.write?(change) ?? Snapshot(kept: nil) }
                    return Snapshot(kept: nil)
                }
            }),
        .init(
            description: "forgets what the service made of it", breaks: "what the service made of it counts",
            outcome: { outcome, _ in
                if case .success(.delivered) = outcome { .success(.delivered(nil)) } else { outcome }
            }),
        .init(
            description: "takes a rejection for a delivery", breaks: "what is rejected changes nothing",
            outcome: { outcome, note in
                if case .success(.rejected) = outcome { .success(.delivered(note)) } else { outcome }
            }),
        .init(
            description: "sends no validator", breaks: "is in conflict",
            source: { source in
                source.writing { change in
                    let blind: RemoteChange<Note> =
                        switch change {
                        case .edit(let note, _): .edit(note, validator: nil)
                        case .delete(let id, _): .delete(id, validator: nil)
                        default: change
                        }
                    return await source.write?(blind) ?? Snapshot(kept: nil)
                }
            }),
        .init(
            description: "takes no answer for a delivery", breaks: "what nobody knows of is thrown",
            outcome: { outcome, note in
                if case .failure = outcome { .success(.delivered(note)) } else { outcome }
            }),
        .init(
            description: "is surprised by what is gone", breaks: "is deleted already",
            outcome: { outcome, _ in
                if case .success(.delivered(nil)) = outcome {
                    .success(.rejected(WriteFailure(.notFound, message: "gone")))
                } else {
                    outcome
                }
            }),
        .init(description: "shows nothing early", breaks: "read at once, and a confirmed", mode: { _ in .confirmed }),
        .init(description: "shows additions late", breaks: "also in lists", mode: { _ in .confirmed }),
        .init(description: "tells observers late", breaks: "observers see", mode: { _ in .confirmed }),
        .init(description: "lets a refetch clobber", breaks: "does not clobber", mode: { _ in .confirmed }),
        .init(description: "always early", breaks: "and a confirmed one is not", mode: { _ in .optimistic }),
        .init(
            description: "believes every answer", breaks: "brings nothing older back", order: .believesEveryAnswer),
        .init(description: "sends at once", breaks: "in the order of their calls", order: .sendsAtOnce),
        .init(
            description: "sends again when cancelled", breaks: "who gives up waiting", order: .sendsAgainWhenCancelled),
        .init(
            description: "overlays the whole", breaks: "its own fields only",
            codec: Codec(encode: Note.codec.encode, decode: Note.codec.decode)),
    ]
}

private final class Mutated: Repository {
    typealias Note = WriteLaws.Note

    let base: StoredRepository<Note>
    let source: RemoteSource<Note>
    let mutant: WriteMutant
    private let last = Mutex<Snapshot<Note>?>(nil)

    init(base: StoredRepository<Note>, source: RemoteSource<Note>, mutant: WriteMutant) {
        (self.base, self.source, self.mutant) = (base, source, mutant)
    }

    func snapshot(id: Int, policy: ReadPolicy?) async -> Snapshot<Note> {
        guard mutant.order == .believesEveryAnswer, id == 1 else { return await base.snapshot(id: id, policy: policy) }
        if policy == .cacheOnly, let last = last.withLock({ $0 }) { return last }
        let answer = await source.get(id, .reload)
        last.withLock { $0 = answer }
        return answer
    }
    func observe(id: Int, policy: ReadPolicy?) -> SnapshotSequence<Note> { base.observe(id: id, policy: policy) }
    func listSnapshot(_ query: EntityQuery<Note>, policy: ReadPolicy?) async -> Snapshot<[Note]> {
        await base.listSnapshot(query, policy: policy)
    }
    func observeList(_ query: EntityQuery<Note>, policy: ReadPolicy?) -> SnapshotSequence<[Note]> {
        base.observeList(query, policy: policy)
    }

    func add(_ note: Note, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Note> {
        try await changed(note) { () async throws(WriteFailure) in try await base.add(note, mutant.mode(mode)) }
    }
    func edit(_ note: Note, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Note> {
        if mutant.order == .sendsAtOnce, let write = source.write {
            let answer = await write(.edit(note, validator: nil))
            return WriteReceipt { .delivered(answer.value) }
        }
        let receipt = try await changed(note) { () async throws(WriteFailure) in
            try await base.edit(note, mutant.mode(mode))
        }
        guard mutant.order == .sendsAgainWhenCancelled, Task.isCancelled else { return receipt }
        return try await base.edit(note, mode)
    }
    func delete(id: Int, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Note> {
        try await changed(nil) { () async throws(WriteFailure) in try await base.delete(id: id, mutant.mode(mode)) }
    }

    private func changed(
        _ note: Note?, _ write: () async throws(WriteFailure) -> WriteReceipt<Note>
    ) async throws(WriteFailure) -> WriteReceipt<Note> {
        let outcome: Result<WriteOutcome<Note>, WriteFailure>
        do throws(WriteFailure) {
            outcome = .success(await (try await write()).delivery())
        } catch {
            outcome = .failure(error)
        }
        let said = try mutant.outcome(outcome, note).get()
        return WriteReceipt { said }
    }
}
