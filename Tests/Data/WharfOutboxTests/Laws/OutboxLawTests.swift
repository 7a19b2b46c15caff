import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfStores

struct OutboxLawTests {
    private static let outboxes: [OutboxLaws.Subject] = [
        .init("OutboxEngine") {
            let outbox = OutboxEngine(store: MemoryWriteStore())
            return .init(outbox, close: { await outbox.close() })
        },
        .init("OutboxEngine of an account") {
            let outbox = OutboxEngine(store: MemoryWriteStore(), account: Account("ann"))
            return .init(outbox, close: { await outbox.close() })
        },
        .init("RecordingOutbox") { .init(RecordingOutbox(store: MemoryWriteStore()), delivers: false) },
    ]

    @Test(arguments: outboxes, OutboxLaws.all)
    func eachOutboxKeeps(outbox: OutboxLaws.Subject, law: Law<OutboxLaws.Subject>) async throws {
        try await law.check(outbox)
    }

    @Test(arguments: OutboxLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<OutboxLaws.Subject>) async throws {
        try await law.prove(by: OutboxMutants.all, in: OutboxLaws.all)
    }
}
