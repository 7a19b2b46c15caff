import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws

@testable import WharfSQLite

@Suite struct JournalLawTests {
    @Test(arguments: JournalLaws.all)
    func sqliteKeepsLaw(law: Law<JournalLaws.Subject>) async throws {
        let files = DataFiles(try Scratch())
        try await law.check(
            .init(
                "SQLiteWriteStore",
                reopen: { _, clock in
                    SQLiteWriteStore(try await files.reopenLast(), remembering: 3, uptime: clock)
                },
                remembering: 3,
                join: { _, clock in
                    SQLiteWriteStore(try await files.openLastAgain(), remembering: 3, uptime: clock)
                },
                kill: { ($0 as? SQLiteWriteStore)?.file.killOwner() }
            ) { clock in
                SQLiteWriteStore(try await files.make(), remembering: 3, uptime: clock)
            }
        )
        try await files.closeAll()
    }

    @Test(arguments: EntityStoreLaws.all)
    func sqliteKeepsEntityLaw(law: Law<EntityStoreLaws.Subject>) async throws {
        let files = DataFiles(try Scratch())
        try await law.check(
            .init("SQLiteWriteStore", reopen: { _ in SQLiteWriteStore(try await files.reopenLast()) }) {
                SQLiteWriteStore(try await files.make())
            }
        )
        try await files.closeAll()
    }
}
