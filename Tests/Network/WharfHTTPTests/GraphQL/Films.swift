import WharfGraphQL
import WharfGraphQLClient
import WharfHTTP
import WharfJSON

/// The answer to `Film`.
struct FilmData: Decodable, Sendable, Equatable {
    struct Film: Decodable, Sendable, Equatable {
        var title: String
        var cast: [String]?
    }

    var film: Film?
}

extension FilmData {
    static let heat = FilmData(film: Film(title: "Heat", cast: ["Ann"]))
}

/// A search result, distinguished by `__typename`.
enum Hit: JSONPolymorphic, Equatable {
    case film(title: String)
    case person(name: String)
    case unknown(UnknownElement)

    enum Kind: String, CaseIterable { case film = "Film", person = "Person", unknown }

    static var discriminator: StaticString { "__typename" }
    static var content: StaticString? { nil }
    static var unknownKind: Kind? { .unknown }
    static func keep(_ element: UnknownElement) -> Hit? { .unknown(element) }

    var unknownElement: UnknownElement? { if case .unknown(let element) = self { element } else { nil } }

    var kind: Kind {
        switch self {
        case .film: .film
        case .person: .person
        case .unknown: .unknown
        }
    }

    static func decode(_ kind: Kind, from json: inout JSONReader) -> Hit? {
        guard var fields = json.beginObject() else { return nil }
        var text: String?
        repeat { json.read(kind == .film ? "title" : "name", 0, into: &text, &fields) } while json.next(&fields)
        guard let text else { return json.incomplete(fields, required: [(0, kind == .film ? "title" : "name")]) }
        return kind == .film ? .film(title: text) : .person(name: text)
    }

    func encodeContent(into json: inout JSONWriter) {
        json.beginObject()
        switch self {
        case .film(let title): json.field("title", title)
        case .person(let name): json.field("name", name)
        case .unknown: break
        }
        json.endObject()
    }
}

struct SearchData: JSONDecodable, Sendable, Equatable {
    var search: [Hit]

    static func decode(from json: inout JSONReader) -> SearchData? {
        guard var fields = json.beginObject() else { return nil }
        var search: [Hit]?
        repeat { json.read("search", 0, into: &search, &fields) } while json.next(&fields)
        guard let search else { return json.incomplete(fields, required: [(0, "search")]) }
        return SearchData(search: search)
    }
}

enum Films {
    static let document = GraphQLDocument {
        GraphQLOperation.query("Film", variables: [GraphQLVariable("id", "ID!")]) {
            GraphQLField("film", ["id": .variable("id")]) {
                "title"
                "cast"
            }
        }
        GraphQLOperation.query("Search") {
            GraphQLField("search", ["text": "a & b"]) {
                "__typename"
                GraphQLInlineFragment(on: "Film") { "title" }
                GraphQLInlineFragment(on: "Person") { "name" }
            }
        }
        GraphQLOperation.mutation("Rate") { GraphQLField("rate", ["stars": 5]) { "average" } }
        GraphQLOperation.subscription("Ratings") { "rated" }
    }

    /// The text that is sent of the document.
    static let text =
        "query Film($id:ID!){film(id:$id){title cast}}query Search{search(text:\"a & b\"){__typename ...on Film{title}"
        + "...on Person{name}}}mutation Rate{rate(stars:5){average}}subscription Ratings{rated}"
}
