internal import Fixtures
internal import GRDB
internal import WharfCore
internal import WharfRepository
internal import WharfSQLite

/// Reads the first page of a long list, in the order of an index.
struct FirstPage: Rounds {
    let expected = 50
    private let file: SQLiteDataFile
    private let repository: Repository<Article>

    init(_ articles: Articles) async throws {
        file = try await ArticleFiles.fromEnvironment().open(articles)
        repository = Repository(.articles, in: SQLiteEntityStore(file))
    }

    func run() async -> Int {
        // The list of the previous run has no references left, so this creates a new one.
        let list = repository.pages(of: EntityQuery().sorted(by: Article.byTitle), size: expected)
        await list.loadMore()
        return list.snapshot.value?.items.count ?? 0
    }

    func close() async throws { try await file.close() }
}

/// Reads the same page by GRDB alone.
struct FirstRecords: Rounds {
    let expected = 50
    private let pool: DatabasePool

    init(_ articles: Articles) throws { pool = try ArticleFiles.fromEnvironment().records(articles) }

    func run() async throws -> Int {
        try await pool.read { db in
            try Article.order(Column("title")).limit(expected).fetchAll(db).count
        }
    }

    func close() async throws { try pool.close() }
}
