#if SQLite
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfSQLite

@Suite struct EntityLawTests {
    @Test(arguments: EntityStoreLaws.all)
    func sqliteKeeps(law: Law<EntityStoreLaws.Subject>) async throws {
        let files = DataFiles(try Scratch())
        try await law.check(
            .init("SQLiteEntityStore", reopen: { _ in SQLiteEntityStore(try await files.reopenLast()) }) {
                SQLiteEntityStore(try await files.make())
            }
        )
        try await files.closeAll()
    }
}

/// Makes data files in a folder, and remembers where each one is.
final class DataFiles: Sendable {
    let folder: Scratch
    private let made = Box<[(file: SQLiteDataFile, path: String)]>([])

    init(_ folder: Scratch) { self.folder = folder }

    func make() async throws -> SQLiteDataFile {
        try await open(folder.path("data-\(made.value.count).sqlite"))
    }

    func reopenLast() async throws -> SQLiteDataFile {
        let last = try #require(made.value.last)
        try await last.file.close()
        return try await open(last.path)
    }

    func closeAll() async throws {
        for each in made.value { try await each.file.close() }
    }

    private func open(_ path: String) async throws -> SQLiteDataFile {
        let file = try await SQLiteDataFile.open(at: path)
        made.change { $0.append((file, path)) }
        return file
    }
}
#endif
