public import WharfCore
internal import WharfHTTP
public import WharfJSON
public import WharfStorage

/// The model that the repositories of the benchmarks read.
public struct Article: Identifiable, Sendable, Equatable {
    /// The number of the article.
    public let id: Int
    /// The title, by which lists are sorted.
    public let title: String
    /// The text.
    public let text: String

    /// Creates an article.
    public init(id: Int, title: String, text: String) {
        self.id = id
        self.title = title
        self.text = text
    }
}

// The expansion of @JSONCodable: the release benchmark is built without swift-syntax.
extension Article: JSONCodable {
    public static func decode(from json: inout JSONReader) -> Article? {
        guard var fields = json.beginObject() else { return nil }
        var id: Int?
        var title: String?
        var text: String?
        repeat {
            json.read("id", 0, into: &id, &fields)
            json.read("title", 1, into: &title, &fields)
            json.read("text", 2, into: &text, &fields)
        } while json.next(&fields)
        guard let id, let title, let text else {
            return json.incomplete(fields, required: [(0, "id"), (1, "title"), (2, "text")])
        }
        return Article(id: id, title: title, text: text)
    }

    public func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("title", title)
        json.field("text", text)
        json.endObject()
    }
}

extension Article {
    /// The indexed field for sorting by title.
    public static let byTitle = Field<Article, String>("title") { $0.title }
}

extension EntityKind<Article> {
    /// The kind of entity, with an index on the title.
    public static let articles = EntityKind("article", codec: .json, indexes: [Article.byTitle.index])
}

/// A number of articles, with the length of their texts.
public struct Articles: Sendable, Hashable {
    /// The number of articles.
    public let count: Int
    /// The length of each text.
    public let length: Int

    /// 10,000 articles of 2 KB.
    public static let small = Articles(count: 10_000, length: 2_048)
    /// 100,000 articles of 200 bytes.
    public static let many = Articles(count: 100_000, length: 200)

    /// Returns an article; the titles are in another order than the ids.
    public func article(_ index: Int) -> Article {
        let rank = String((index * 7_919) % count)
        let title = "title " + String(repeating: "0", count: 8 - rank.count) + rank
        let line = "This is line \(index) of an article. "
        let text = String(String(repeating: line, count: length / line.count + 1).prefix(length))
        return Article(id: index, title: title, text: text)
    }

    /// Fills a store with all articles, fresh for a day.
    public func fill(_ store: any EntityStore) async throws {
        let now = SystemWallClock().now()
        for start in stride(from: 0, to: count, by: 1_000) {
            try await store.commit(
                try (start..<min(start + 1_000, count)).map { index in
                    .put(
                        try EntityKind.articles.row(
                            article(index), of: nil, asOf: now, staleAt: now + .seconds(86_400)))
                })
        }
    }
}
