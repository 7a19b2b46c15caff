import Testing
import WharfCore
import WharfFakes
import WharfGraphQL
import WharfGraphQLClient
import WharfHTTP
import WharfJSON

@Suite struct GraphQLRequestTests {
    private typealias FilmRequest = Request<GraphQLResponse<FilmData>>

    private let environment: APIEnvironment

    init() throws { environment = try APIEnvironment("https://api.example.com/v1") }

    @Test func anOperationIsPosted() throws {
        let request: FilmRequest = .graphQL(post: Films.document, operation: "Film", variables: ["id": "7"])
        let head = try environment.head(for: request)
        #expect(head.method == .post)
        #expect(head.path == "/v1/graphql")
        #expect(head.headerFields[.contentType] == "application/json")
        #expect(head.headerFields[.accept] == "application/graphql-response+json, application/json;q=0.9")
        let body = try JSON.decode([String: JSONValue].self, from: request.body.text ?? "")
        let expected: [String: JSONValue] = [
            "query": JSONValue(.string(Films.text)), "operationName": "Film", "variables": ["id": "7"],
        ]
        #expect(body == expected)
    }

    @Test func aQueryIsAskedForByItsURL() throws {
        let request: FilmRequest = .graphQL(
            get: GraphQLDocument { GraphQLOperation.query("Q") { GraphQLField("a", ["b": "c&d+\u{E9}"]) } },
            operation: "Q", variables: ["n": 1], at: "api/query")
        let head = try environment.head(for: request)
        #expect(head.method == .get)
        #expect(
            head.path
                == "/v1/api/query?query=query%20Q%7Ba%28b%3A%22c%26d%2B%C3%A9%22%29%7D&operationName=Q&variables=%7B%22n%22%3A1%7D"
        )
        #expect(head.headerFields[.contentType] == nil)
        guard case .none = request.body else {
            Issue.record("a GET has a body")
            return
        }
    }

    @Test func absentOperationNameAndVariablesAreNotSent() throws {
        let document = GraphQLDocument { GraphQLOperation.query { "a" } }
        let bodies = [
            FilmRequest.graphQL(post: document), .graphQL(post: document, variables: [:] as [String: Int]),
            .graphQL(post: document, variables: Variables?.none),
        ]
        for request in bodies { #expect(request.body.text == #"{"query":"{a}"}"#) }
        #expect(try environment.head(for: FilmRequest.graphQL(get: document)).path == "/v1/graphql?query=%7Ba%7D")
    }

    private struct Variables: Encodable {
        var text = "a/b"
        var first = 2
    }

    @Test func variablesAreEncodedByCodableInOneOrder() throws {
        let document = GraphQLDocument { GraphQLOperation.query { "a" } }
        let request: FilmRequest = .graphQL(post: document, variables: Variables())
        #expect(request.body.text == #"{"query":"{a}","variables":{"first":2,"text":"a/b"}}"#)
        let asked: FilmRequest = .graphQL(get: document, variables: Variables())
        #expect(asked.query.items.last == QueryItem("variables", #"{"first":2,"text":"a/b"}"#))
    }

    @Test func queryIsIdempotentAndMutationIsNot() {
        #expect(FilmRequest.graphQL(post: Films.document, operation: "Film").isIdempotent)
        #expect(FilmRequest.graphQL(get: Films.document, operation: "Film").isIdempotent)
        #expect(!FilmRequest.graphQL(post: Films.document, operation: "Rate").isIdempotent)
    }

    @Test(
        arguments: [
            (
                .graphQL(get: Films.document, operation: "Rate"),
                "a mutation can't be sent by GET, which must not change anything; send it by POST"
            ),
            (.graphQL(post: Films.document, operation: "Ratings"), "a subscription can't be sent"),
            (.graphQL(get: Films.document, operation: "Ratings"), "a subscription can't be sent"),
            (.graphQL(post: Films.document), "found 4 operations"),
            (.graphQL(post: Films.document, operation: "None"), "named \"None\", found 0"),
            (
                .graphQL(
                    get: GraphQLDocument { GraphQLOperation.query { GraphQLField("a", ["b": .float(Double.nan)]) } }),
                "expected a finite number, found nan"
            ),
            (.graphQL(get: Films.document, operation: "Film", variables: [1]), "an object, found [1]"),
            (
                .graphQL(post: Films.document, operation: "Film", variables: ["x": Double.nan]),
                "could not encode the variables as JSON"
            ),
        ] as [(Request<GraphQLResponse<FilmData>>, String)])
    func invalidOperationFailsWithoutSending(
        _ request: Request<GraphQLResponse<FilmData>>, _ message: String
    ) async throws {
        let script = StubTransport([])
        let failure = await #expect(throws: ReadFailure.self) {
            try await APIClient.testing(script).fetch(request.map(\.data))
        }
        #expect(failure?.code == .invalidRequest)
        #expect(failure?.message.contains(message) == true, "\(failure as Any)")
        #expect(script.requests.isEmpty)
    }
}
