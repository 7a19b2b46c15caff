import Synchronization
import Testing
import Wharf
import WharfChecks
import WharfCoreLaws
import WharfSQLite

/// The laws of repositories, with a store in a file.
struct RepositoryOverSQLiteTests {
    typealias Model = RepositoryLaws.Model

    private static let kind = EntityKind<Model>(
        "model",
        codec: .init { model in
            Array("\(model.id):\(model.name)".utf8)
        } decode: { bytes, _ in
            let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
            return Model(id: try #require(Int(parts[0])), name: String(parts[1]))
        })

    @Test(arguments: RepositoryLaws.all)
    func keeps(law: Law<RepositoryLaws.Subject>) async throws {
        try await TemporaryFolder.run { folder in
            let file = try await SQLiteDataFile.open(at: folder["data.sqlite"])
            let made = Mutex(0)
            let subject = RepositoryLaws.Subject("Repository over SQLite") { source, clock in
                // One file for all repositories, each with an account of its own.
                let number = made.withLock { made in
                    made += 1
                    return made
                }
                return Repository(
                    Self.kind, in: SQLiteEntityStore(file), account: Account("\(number)"), remote: source,
                    configuration: .init(clock: clock))
            }
            try await law.check(subject)
            try await file.close()
        }
    }
}
