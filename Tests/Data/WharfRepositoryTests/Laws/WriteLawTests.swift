import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfOutbox
import WharfRepository
import WharfStores

struct WriteLawTests {
    static let conformers: [WriteLaws.Subject] = [
        .init("Repository") { source, clock in stored(source, clock) },
        .init("AnyRepository") { source, clock in AnyRepository(stored(source, clock)) },
        .init("over an outbox", keepsUndelivered: true) { source, clock in overOutbox(source, clock) },
    ]

    static func overOutbox(
        _ source: RemoteSource<WriteLaws.Note>, _ clock: any WallClock
    ) -> Repository<WriteLaws.Note> {
        let store = MemoryWriteStore()
        let outbox = OutboxEngine(store: store, configuration: .init(clock: clock))
        let notes = Repository(
            EntityKind("note", codec: WriteLaws.Note.codec), in: store, remote: source, outbox: outbox,
            configuration: .init(clock: clock))
        if let destination = notes.destination { outbox.register(destination) }
        outbox.start()
        return notes
    }

    static func stored(
        _ source: RemoteSource<WriteLaws.Note>, _ clock: any WallClock
    ) -> Repository<WriteLaws.Note> {
        Repository(
            EntityKind("note", codec: WriteLaws.Note.codec), in: MemoryEntityStore(), remote: source,
            configuration: .init(clock: clock))
    }

    @Test(arguments: conformers, WriteLaws.all)
    func conformerKeepsLaw(conformer: WriteLaws.Subject, law: Law<WriteLaws.Subject>) async throws {
        try await law.check(conformer)
    }

    @Test(arguments: WriteLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<WriteLaws.Subject>) async throws {
        try await law.prove(by: WriteMutants.all, in: WriteLaws.all)
    }
}
