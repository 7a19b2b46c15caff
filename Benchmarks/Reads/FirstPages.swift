internal import Fixtures
internal import GRDB
internal import WharfCore
internal import WharfRepository
internal import WharfSQLite

/// The first page of a long list, in the order of an index.
struct FirstPage: Rounds {
    let expected = 50
    private let file: SQLiteDataFile
    private let repository: Repository<Article>

    init(_ articles: Articles) async throws {
        file = try await ArticleFiles.fromEnvironment().open(articles)
        repository = Repository(.articles, in: SQLiteEntityStore(file))
    }

    func run() async -> Int {
        // Nobody holds the list of the run before, so this is another.
        let list = repository.pages(of: EntityQuery().sorted(by: Article.byTitle), size: expected)
        await list.loadMore()
        return list.snapshot.value?.items.count ?? 0
    }

    func close() async throws { try await file.close() }
}

/// The same page by GRDB alone.
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
