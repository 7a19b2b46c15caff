internal import Foundation
public import GRDB
public import WharfSQLite

/// Data files with articles, and databases with the same articles.
///
/// The databases are in the style of GRDB's documentation.
public struct ArticleFiles: Sendable {
    private let directory: String

    /// Uses the files in a directory.
    public init(in directory: String) { self.directory = directory }

    /// Uses the directory that the environment names.
    public static func fromEnvironment() throws -> ArticleFiles { ArticleFiles(in: try CacheFiles.directory) }

    private func path(_ articles: Articles, _ kind: String) -> String {
        "\(directory)/articles-\(articles.count)-\(kind).sqlite"
    }

    /// Opens the data file with the articles.
    public func open(_ articles: Articles) async throws -> SQLiteDataFile {
        try await SQLiteDataFile.open(at: path(articles, "wharf"))
    }

    /// Opens the database with the articles as records.
    public func records(_ articles: Articles) throws -> DatabasePool {
        try DatabasePool(path: path(articles, "records"))
    }

    /// Creates both files.
    public func fill(_ articles: Articles) async throws {
        let file = try await open(articles)
        try await articles.fill(SQLiteEntityStore(file))
        try await file.close()
        let pool = try records(articles)
        try await pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE article (id INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL);
                    CREATE INDEX article_title ON article (title)
                    """)
            for index in 0..<articles.count {
                let article = articles.article(index)
                try db.execute(
                    sql: "INSERT INTO article VALUES (?, ?, ?)", arguments: [article.id, article.title, article.text])
            }
        }
        try pool.close()
    }
}

/// An article as a record of GRDB.
///
/// Its initialiser is written by hand, the fastest way in GRDB's documentation.
extension Article: FetchableRecord {
    /// The table of the records.
    public static let databaseTableName = "article"

    public init(row: Row) {
        self.init(id: row["id"], title: row["title"], text: row["text"])
    }
}

extension Article: TableRecord {}
