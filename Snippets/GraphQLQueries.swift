// The article "GraphQL with Swift": documents as values that print themselves. Here the source of a
// repository reads through Wharf's cache. An app with its own HTTP client imports WharfGraphQL
// alone.

// snippet.hide
import WharfCache
import WharfCore
import WharfFakes
import WharfGraphQL
import WharfGraphQLClient
import WharfHTTP

let network = StubTransport([
    .ok(
        #"{"data": {"film": {"id": "7", "title": "Heat", "rating": 4.5}}}"#,
        fields: [.cacheControl: "max-age=60", .contentType: "application/graphql-response+json"]),
    .failure(.offline),
    .ok(
        #"{"data": {"film": {"id": "7", "title": "Heat", "rating": null}}, "errors": [{"message": "timed out", "path": ["film", "rating"]}]}"#
    ),
    .respond(
        .badRequest, fields: [.contentType: "application/graphql-response+json"],
        #"{"errors": [{"message": "unknown field rating", "extensions": {"code": "VALIDATION"}}]}"#),
])
let client = APIClient(
    environment: try APIEnvironment("https://films.example.com"),
    transport: CachingTransport(network, store: MemoryCacheStore()) { print($0) })
// snippet.show
// snippet.document
let document = GraphQLDocument {
    GraphQLOperation.query(
        "Film", variables: [GraphQLVariable("id", "ID!"), GraphQLVariable("size", "Int", default: 5)]
    ) {
        GraphQLField("film", ["id": .variable("id")]) {
            "id"
            "title"
            "rating"
            GraphQLField(alias: "stars", "cast", ["first": .variable("size"), "order": .enum("BILLING")]) {
                GraphQLFragmentSpread("person")
            }
        }
    }
    GraphQLFragment("person", on: "Person") { "name" }
}
print(try document.pretty())
print(try document.compact())
// snippet.end

// snippet.refused
do {
    print(
        try GraphQLDocument { GraphQLOperation.query { GraphQLField("film", ["rating": .float(Double.nan)]) } }
            .compact())
} catch {
    print("refused:", error)
}
do {
    print(try GraphQLDocument(parsing: "{\n  film(id: 07) { title }\n}"))
} catch {
    print("refused:", error)
}
// snippet.end

// snippet.request
struct FilmData: Decodable {
    struct Film: Decodable {
        let id, title: String
        let rating: Double?
    }

    let film: Film?
}

let request: Request<GraphQLResponse<FilmData>> = .graphQL(get: document, variables: ["id": "7"])
// snippet.end

// snippet.source
struct Film: Identifiable {
    let id: String
    let title: String
}

let films = RemoteSource<Film>.graphQL(client) { id in
    .graphQL(get: document, variables: ["id": id])
} mapping: { (answer: GraphQLResponse<FilmData>) in
    // A film without a rating is accepted. To refuse it, use `try answer.complete()`.
    for error in answer.errors { print("missing:", error) }
    // Without a film and without an error, the service has no film with this id.
    return answer.data.film.map { Film(id: $0.id, title: $0.title) }
}
// snippet.end

// snippet.reads
let answer = try await client.fetch(request).value
print(answer.data.film?.title ?? "", answer.errors)
for mode in [CacheMode.normal, .reload, .reload, .reload] {
    let read = await films.get("7", mode)
    let source = read.kept.map { " from \($0.source)" } ?? ""
    print("\(read.value?.title ?? "nothing")\(source)\(read.error.map { ", \($0.code)" } ?? "")")
    for error in read.error?.graphQLErrors ?? [] { print("  \(error)") }
}
// snippet.end

// Output:
// query Film($id: ID!, $size: Int = 5) {
//   film(id: $id) {
//     id
//     title
//     rating
//     stars: cast(first: $size, order: BILLING) {
//       ...person
//     }
//   }
// }
//
// fragment person on Person {
//   name
// }
// query Film($id:ID!$size:Int=5){film(id:$id){id title rating stars:cast(first:$size order:BILLING){...person}}}fragment person on Person{name}
// refused: expected a finite number, found nan, in argument rating, in field film, in query
// refused: 2:13: expected a number without leading zeros, found "7" after 0
// Heat []
// Heat from httpCache
// Heat from httpCache, offline
// missing: film.rating: timed out
// Heat from network
// nothing, noData
//   unknown field rating (VALIDATION)
