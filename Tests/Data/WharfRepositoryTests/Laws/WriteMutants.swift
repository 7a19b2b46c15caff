import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfRepository
import WharfStores

/// Repositories with one defect each in writing.
enum WriteMutants {
    typealias Mutant = LawMutant<WriteLaws.Subject>
    typealias Note = WriteLaws.Note

    static let all = decisions + order + optimistic

    /// - Parameters:
    ///   - source: the layer between the repository and its service.
    ///   - spoil: adds the defect to a correct repository.
    static func mutant(
        _ description: String, breaks law: String, codec: Codec<Note> = Note.codec,
        source: @escaping @Sendable (RemoteChange<Note>, RemoteSource<Note>) async -> Snapshot<Note> = {
            await $1.make($0)
        },
        _ spoil: @escaping @Sendable (inout WrongNotes) -> Void
    ) -> Mutant {
        Mutant(
            breaks: law,
            .init(description) { remote, clock in
                let between = remote.writing { change, _ in await source(change, remote) }
                let kind = EntityKind("note", codec: codec)
                let base = Repository(
                    kind, in: MemoryEntityStore(), remote: between, configuration: .init(clock: clock))
                var notes = WrongNotes(base, remote)
                spoil(&notes)
                return notes
            })
    }
}

struct WrongNotes: ReadWriteRepository {
    typealias Note = WriteLaws.Note
    typealias Receipt = WriteReceipt<Note>
    typealias Change = @Sendable (inout Note) -> Void

    let base: Repository<Note>
    let remote: RemoteSource<Note>
    var one: @Sendable (Int, ReadPolicy?) async -> Snapshot<Note>
    var observed: @Sendable (Int, ReadPolicy?) -> SnapshotSequence<Note>
    var add: @Sendable (Note, WriteMode) async throws(WriteFailure) -> Receipt
    var edit: @Sendable (Note, Note, WriteMode) async throws(WriteFailure) -> Receipt
    var editByID: @Sendable (Int, WriteMode, @escaping Change) async throws(WriteFailure) -> Receipt
    var delete: @Sendable (Int, WriteMode) async throws(WriteFailure) -> Receipt

    init(_ base: Repository<Note>, _ remote: RemoteSource<Note>) {
        (self.base, self.remote) = (base, remote)
        one = { id, policy in await base.snapshot(id: id, policy: policy) }
        observed = { id, policy in base.observe(id: id, policy: policy) }
        add = { (note, mode) async throws(WriteFailure) in try await base.add(note, mode) }
        edit = { (note, shown, mode) async throws(WriteFailure) in try await base.edit(note, basedOn: shown, mode) }
        editByID = { (id, mode, change) async throws(WriteFailure) in try await base.edit(id, mode, change) }
        delete = { (id, mode) async throws(WriteFailure) in try await base.delete(id: id, mode) }
    }

    func snapshot(id: Int, policy: ReadPolicy?) async -> Snapshot<Note> { await one(id, policy) }
    func observe(id: Int, policy: ReadPolicy?) -> SnapshotSequence<Note> { observed(id, policy) }
    func listSnapshot(_ query: EntityQuery<Note>, policy: ReadPolicy?) async -> Snapshot<[Note]> {
        await base.listSnapshot(query, policy: policy)
    }
    func observeList(_ query: EntityQuery<Note>, policy: ReadPolicy?) -> SnapshotSequence<[Note]> {
        base.observeList(query, policy: policy)
    }
    func add(_ note: Note, _ mode: WriteMode) async throws(WriteFailure) -> Receipt { try await add(note, mode) }
    func edit(_ note: Note, basedOn shown: Note, _ mode: WriteMode) async throws(WriteFailure) -> Receipt {
        try await edit(note, shown, mode)
    }
    func edit(_ id: Int, _ mode: WriteMode, _ change: @escaping Change) async throws(WriteFailure) -> Receipt {
        try await editByID(id, mode, change)
    }
    func delete(id: Int, _ mode: WriteMode) async throws(WriteFailure) -> Receipt { try await delete(id, mode) }
}

extension WrongNotes {
    /// Maps the outcome that is reported for each change.
    mutating func says(_ change: @escaping @Sendable (WriteOutcome<Note>) -> WriteOutcome<Note>) {
        add = { [add] (note, mode) async throws(WriteFailure) in try await add(note, mode).saying(change) }
        edit = { [edit] (note, shown, mode) async throws(WriteFailure) in
            try await edit(note, shown, mode).saying(change)
        }
        delete = { [delete] (id, mode) async throws(WriteFailure) in try await delete(id, mode).saying(change) }
    }
}

extension WriteReceipt {
    func saying(_ change: @escaping @Sendable (WriteOutcome<Model>) -> WriteOutcome<Model>) -> WriteReceipt {
        WriteReceipt { change(await delivery()) }
    }
}

extension RemoteSource<WriteLaws.Note> {
    func make(_ change: RemoteChange<WriteLaws.Note>) async -> Snapshot<WriteLaws.Note> {
        await write?(change, nil) ?? Snapshot(kept: nil)
    }
}
