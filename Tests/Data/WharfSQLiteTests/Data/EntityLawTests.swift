import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfSQLite

@Suite struct EntityLawTests {
    @Test(arguments: EntityStoreLaws.all)
    func sqliteKeepsLaw(law: Law<EntityStoreLaws.Subject>) async throws {
        let files = DataFiles(try Scratch())
        try await law.check(
            .init(
                "SQLiteEntityStore", reopen: { _ in SQLiteEntityStore(try await files.reopenLast()) },
                tombstones: 10_001
            ) {
                SQLiteEntityStore(try await files.make())
            }
        )
        try await files.closeAll()
    }

    @Test func sqliteBehavesLikeTheModel() async throws {
        let files = DataFiles(try Scratch())
        try await EntityStoreModel.law.check(.init("SQLiteEntityStore") { SQLiteEntityStore(try await files.make()) })
        try await files.closeAll()
    }

    @Test(arguments: EntityStoreLaws.versions + [EntityStoreModel.law])
    func twoConnectionsToOnePathKeepLaw(law: Law<EntityStoreLaws.Subject>) async throws {
        let files = DataFiles(try Scratch())
        try await law.check(
            .init("two connections", tombstones: 10_001) {
                let first = try await files.make()
                return TwoConnections(SQLiteEntityStore(first), SQLiteEntityStore(try await files.openLastAgain()))
            }
        )
        try await files.closeAll()
    }
}

/// Creates data files in a folder, and records their paths.
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

    /// Opens the last file again, as another process does.
    func openLastAgain() async throws -> SQLiteDataFile { try await open(try #require(made.value.last).path) }

    func closeAll() async throws {
        for each in made.value { try await each.file.close() }
    }

    private func open(_ path: String) async throws -> SQLiteDataFile {
        let file = try await SQLiteDataFile.open(at: path)
        made.change { $0.append((file, path)) }
        return file
    }
}

/// Sends each call to the next of its stores in turn.
private struct TwoConnections: ForwardingEntityStore {
    private let stores: [SQLiteEntityStore]
    private let calls = Box(0)

    init(_ stores: SQLiteEntityStore...) { self.stores = stores }

    var base: SQLiteEntityStore {
        calls.change { $0 += 1 }
        return stores[calls.value % stores.count]
    }
}
