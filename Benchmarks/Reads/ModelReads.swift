internal import Fixtures
internal import GRDB
internal import Synchronization
internal import WharfCore
internal import WharfRepository
internal import WharfSQLite
internal import WharfStores

/// Reads typed models through a repository.
struct ModelReads: Subject {
    private let repository: any ReadableRepository<Article>
    private let policy: ReadPolicy?
    private let file: SQLiteDataFile?

    /// Creates reads of models that are all in memory, decoded and fresh.
    static func inMemory(_ articles: Articles) async throws -> ModelReads {
        let store = MemoryEntityStore()
        try await articles.fill(store)
        let source = RemoteSource<Article> { _, _ in fatalError("all are fresh") }
        var configuration = RepositoryConfiguration()
        configuration.rememberedModels = articles.count
        let repository = Repository(.articles, in: store, remote: source, configuration: configuration)
        for index in 0..<articles.count { _ = await repository.snapshot(id: index) }
        return ModelReads(repository: repository, policy: nil, file: nil)
    }

    /// Creates reads of models in a file, none of them in memory: each read queries SQLite and
    /// decodes.
    static func inFile(_ articles: Articles) async throws -> ModelReads {
        let file = try await ArticleFiles.fromEnvironment().open(articles)
        var configuration = RepositoryConfiguration()
        configuration.rememberedModels = 0
        let repository = Repository(.articles, in: SQLiteEntityStore(file), configuration: configuration)
        return ModelReads(repository: repository, policy: .cacheOnly, file: file)
    }

    func item(_ index: Int) -> Int { index }

    func read(_ items: [Int]) async throws -> Int {
        var bytes = 0
        for id in items { bytes += await repository.snapshot(id: id, policy: policy).value?.text.utf8.count ?? 0 }
        return bytes
    }

    func close() async throws { try await file?.close() }
}

/// The minimum of a shared read of a model: an async call through a protocol, a lock, a dictionary.
protocol ArticleSource: Sendable {
    func article(id: Int) async -> Article?
}

final class LockedArticles: ArticleSource {
    private let articles: Mutex<[Int: Article]>

    init(_ articles: [Int: Article]) { self.articles = Mutex(articles) }

    func article(id: Int) async -> Article? { articles.withLock { $0[id] } }
}

struct ModelDictionaryReads: Subject {
    private let source: any ArticleSource

    init(_ articles: Articles) { source = Self.erased(articles) }

    // Inlining is off, so that the compiler can't see the type behind the protocol.
    @inline(never)
    private static func erased(_ articles: Articles) -> any ArticleSource {
        LockedArticles(Dictionary(uniqueKeysWithValues: (0..<articles.count).map { ($0, articles.article($0)) }))
    }

    func item(_ index: Int) -> Int { index }

    func read(_ items: [Int]) async throws -> Int {
        var bytes = 0
        for id in items { bytes += await source.article(id: id)?.text.utf8.count ?? 0 }
        return bytes
    }
}

/// Reads the same articles as records, by GRDB alone.
struct RecordReads: Subject {
    private let pool: DatabasePool

    init(_ articles: Articles) throws { pool = try ArticleFiles.fromEnvironment().records(articles) }

    func item(_ index: Int) -> Int { index }

    func read(_ items: [Int]) async throws -> Int {
        var bytes = 0
        for id in items { bytes += try await pool.read { try Article.fetchOne($0, key: id) }?.text.utf8.count ?? 0 }
        return bytes
    }

    func close() async throws { try pool.close() }
}
