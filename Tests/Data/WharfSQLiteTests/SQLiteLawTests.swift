import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfSQLite
import WharfStorage

@Suite struct SQLiteLawTests {
    @Test(arguments: CacheStoreLaws.all)
    func sqliteKeepsLaw(law: Law<CacheStoreLaws.Subject>) async throws {
        let folder = try Scratch()
        let files = Files(folder: folder)
        try await law.check(
            .init("SQLiteCacheStore", reopen: { try await files.reopen($0) }) { limit in
                try await files.make(limit)
            }
        )
        await files.closeAll()
        #expect(files.incidents.all.isEmpty)
    }

    /// Records the path of each store's file.
    private final class Files: Sendable {
        let folder: Scratch
        let incidents = IncidentLog()
        private let made = Box<[(store: SQLiteCacheStore, path: String, limit: Int)]>([])

        init(folder: Scratch) { self.folder = folder }

        func make(_ limit: Int) async throws -> any CacheStore {
            try await open(folder.path("cache-\(made.value.count).sqlite"), limit)
        }

        func reopen(_ store: any CacheStore) async throws -> any CacheStore {
            let old = try #require(made.value.first { $0.store === store as? SQLiteCacheStore })
            try await old.store.close()
            return try await open(old.path, old.limit)
        }

        func closeAll() async {
            for each in made.value {
                do { try await each.store.close() } catch { Issue.record(error) }
            }
        }

        private func open(_ path: String, _ limit: Int) async throws -> any CacheStore {
            let store = try await SQLiteCacheStore.open(
                at: path, byteLimit: Int64(limit), onIncident: incidents.handler)
            made.change { $0.append((store, path, limit)) }
            return store
        }
    }
}
