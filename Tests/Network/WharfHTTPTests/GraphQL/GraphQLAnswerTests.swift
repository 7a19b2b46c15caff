import Testing
import WharfCore
import WharfFakes
import WharfGraphQL
import WharfGraphQLClient
import WharfHTTP
import WharfJSON

@Suite struct GraphQLAnswerTests {
    private static let film = Request<GraphQLResponse<FilmData>>.graphQL(post: Films.document, operation: "Film")
    private static let graphQLResponse: HTTPFields = [.contentType: "application/graphql-response+json; charset=utf-8"]

    private func answer(_ answer: StubAnswer) async throws -> Snapshot<GraphQLResponse<FilmData>> {
        await (try APIClient.testing(StubTransport([answer]))).snapshot(Self.film)
    }

    @Test func theDataAreTheValue() async throws {
        let body = #"{"data": {"film": {"title": "Heat", "cast": ["Ann"]}}, "extensions": {"cost": 3}}"#
        let response = try await answer(.ok(body)).get()
        #expect(response == GraphQLResponse(data: .heat, extensions: ["cost": 3]))
        #expect(try response.complete() == .heat)
    }

    @Test func aPartialAnswerHasItsErrorsBesideTheData() async throws {
        let response = try await answer(
            .ok(
                """
                {"errors": [{"message": "timed out", "locations": [{"line": 1, "column": 8}], "path": ["film", "cast", 2],
                  "extensions": {"code": "TIMEOUT"}}], "data": {"film": {"title": "Heat", "cast": null}}}
                """)
        ).get()
        #expect(response.data == FilmData(film: .init(title: "Heat", cast: nil)))
        let error = GraphQLError(
            message: "timed out", locations: [.init(line: 1, column: 8)], path: ["film", "cast", 2],
            extensions: ["code": "TIMEOUT"])
        #expect(response.errors == [error])
        #expect(error.code == "TIMEOUT")
        #expect("\(error)" == "film.cast[2]: timed out (TIMEOUT)")
        let refused = #expect(throws: GraphQLErrors.self) { try response.complete() }
        #expect(refused?.errors == [error])
    }

    @Test(
        arguments: [
            (#"{"errors": [{"message": "no"}]}"#, ["no"]), (#"{"errors": [{"message": "no"}], "data": null}"#, ["no"]),
            (#"{"data": null}"#, []), (#"{"data": null, "errors": null}"#, []), ("{}", []),
        ])
    func anAnswerWithoutDataIsAFailureWithItsErrors(_ body: String, _ messages: [String]) async throws {
        for fields in [[:], Self.graphQLResponse] as [HTTPFields] {
            let snapshot = try await answer(.ok(body, fields: fields))
            #expect(snapshot.kept == nil)
            #expect(snapshot.error?.code == .noData)
            #expect(snapshot.error?.graphQLErrors.map(\.message) == messages)
            #expect(snapshot.error?.message.contains(messages.first ?? "neither data nor errors") == true)
        }
    }

    @Test func dataThatDoNotDecodeAreAFailureWithTheErrors() async throws {
        let body =
            #"{"data": {"film": {"title": null}}, "errors": [{"message": "no title", "path": ["film", "title"]}]}"#
        let failure = try #require(await answer(.ok(body)).error)
        #expect(failure.code == .undecodable)
        #expect(failure.graphQLErrors.map(\.description) == ["film.title: no title"])
        #expect(((failure.cause as? GraphQLErrors)?.cause as? JSONError)?.path == ["data", "film", "title"])
        #expect(failure.message.contains("data.film.title: expected"), "\(failure.message)")
        #expect(failure.message.contains("no title"))
        let silent = try #require(await answer(.ok(#"{"data": {"film": {"title": 1}}}"#)).error)
        #expect(silent.code == .undecodable)
        #expect((silent.cause as? JSONError)?.path == ["data", "film", "title"])
    }

    @Test func graphQLErrorStatusCarriesItsErrors() async throws {
        let long = String(repeating: "x", count: 10_000)
        let body = #"{"errors": [{"message": "\#(long)"}, {"message": "second"}]}"#
        let failure = try #require(await answer(.respond(.badRequest, fields: Self.graphQLResponse, body)).error)
        #expect(failure.code == .status)
        #expect(failure.isAnswer)
        #expect(failure.graphQLErrors.map(\.message) == [long, "second"])
        #expect(failure.excerpt.count == 4096)
        #expect(failure.response?.status == .badRequest)
    }

    @Test(arguments: ["application/json", "text/html", nil])
    func errorStatusOfAnotherTypeCarriesNoGraphQLErrors(_ type: String?) async throws {
        let fields: HTTPFields = type.map { [.contentType: $0] } ?? [:]
        let body = #"{"errors": [{"message": "no"}]}"#
        let failure = try #require(await answer(.respond(.unauthorized, fields: fields, body)).error)
        #expect(failure.code == .status)
        #expect(failure.cause == nil)
        #expect(failure.excerpt == Array(body.utf8))
    }

    @Test func anErrorStatusThatLiesAboutItsTypeKeepsItsStatus() async throws {
        let failure = try #require(
            await answer(.respond(.badGateway, fields: Self.graphQLResponse, "<html>")).error)
        #expect(failure.code == .status)
        #expect(failure.cause is JSONError)
        #expect(failure.graphQLErrors.isEmpty)
    }

    @Test func unionSelectionsAreDecodedByTypename() async throws {
        let body = """
            {"data": {"search": [{"__typename": "Film", "title": "Heat"}, {"name": "Ann", "__typename": "Person"},
              {"__typename": "Song", "length": 3}]}}
            """
        let client = try APIClient.testing(StubTransport([.ok(body)]))
        let request: Request<GraphQLResponse<SearchData>> = .graphQL(get: Films.document, operation: "Search")
        let hits = try await client.fetch(request).value.data.search
        #expect(hits.map(\.kind) == [.film, .person, .unknown])
        #expect(hits.prefix(2) == [.film(title: "Heat"), .person(name: "Ann")])
        #expect(hits[2].unknownElement?.kind == "Song")
    }

    /// Errors that a service may write against the specification, with the parts that are read from
    /// them.
    @Test(
        arguments: [
            (
                #"[{"path": ["film", "cast"], "message": null}]"#,
                [#"film.cast: {"path":["film","cast"],"message":null}"#]
            ),
            (#"[{"path": ["film"]}]"#, [#"film: {"path":["film"]}"#]),
            (#"["timed out", 7, null]"#, ["timed out", "7", "null"]),
            (#"[{"message": {"text": "no"}, "extensions": "E1"}]"#, [#"{"message":{"text":"no"},"extensions":"E1"}"#]),
            (#"[{"message": "no", "path": ["film", null], "extensions": {"code": "E1"}}]"#, ["no (E1)"]),
            (#"[{"message": "no", "path": "film"}, {"message": "nor this"}]"#, ["no", "nor this"]),
            (#"{"message": "not in an array"}"#, ["not in an array"]), (#""a text""#, ["a text"]), ("[]", []),
            ("null", []),
        ])
    func malformedErrorsDoNotDiscardTheData(_ errors: String, _ expected: [String]) async throws {
        let answer = try await answer(
            .ok(#"{"errors": \#(errors), "data": {"film": {"title": "Heat", "cast": ["Ann"]}}}"#))
        let response = try answer.get()
        #expect(response.data == .heat)
        #expect(response.errors.map(\.description) == expected)
        if !expected.isEmpty { #expect(throws: GraphQLErrors.self) { try response.complete() } }
    }

    @Test func errorWithoutMessageIsTruncatedButKeepsItsExtensions() async throws {
        let trace = String(repeating: "x", count: 10_000)
        let body = #"{"data": {"film": null}, "errors": [{"extensions": "\#(trace)"}]}"#
        let error = try #require(await answer(.ok(body)).get().errors.first)
        #expect(error.message == #"{"extensions":""# + trace.prefix(185) + "…")
        #expect(error.extensions == .init(.string(trace)))
    }

    @Test func malformedErrorLocationsAreDropped() async throws {
        let places =
            #"[{"line": 1}, {"line": 2, "column": 3}, "4:5", {"line": 1.5, "column": 1}, {"line": "1", "column": 1}]"#
        let body = #"{"data": {"film": null}, "errors": [{"message": "no", "locations": \#(places)}]}"#
        #expect(
            try await answer(.ok(body)).get().errors == [.init(message: "no", locations: [.init(line: 2, column: 3)])])
    }
}
