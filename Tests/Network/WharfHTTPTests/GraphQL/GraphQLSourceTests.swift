import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfGraphQL
import WharfGraphQLClient
import WharfHTTP

@Suite struct GraphQLSourceTests {
    private struct Film: Identifiable, Sendable, Equatable {
        let id: String
        let title: String
    }

    private struct OneFilm: Decodable, Sendable {
        struct Film: Decodable, Sendable { let id, title: String }

        let film: Film?
    }

    private struct TitlesData: Decodable, Sendable { let titles: [String] }

    private func source(_ client: APIClient) -> RemoteSource<Film> {
        .graphQL(client) { id in
            .graphQL(get: Films.document, operation: "Film", variables: ["id": id])
        } mapping: { (answer: GraphQLResponse<OneFilm>) in
            try answer.complete().film.map { Film(id: $0.id, title: $0.title) }
        } list: { _ in
            .graphQL(post: Films.document, operation: "Search")
        } listMapping: { (answer: GraphQLResponse<TitlesData>) in
            answer.data.titles.map { Film(id: $0, title: $0) }
        }
    }

    private func cached(_ network: StubTransport) throws -> RemoteSource<Film> {
        let cache = CachingTransport(network, store: MemoryCacheStore()) { Issue.record("\($0)") }
        return source(try .testing(cache))
    }

    private static let heat = #"{"data": {"film": {"id": "7", "title": "Heat"}}}"#

    @Test func modelsComeFromQueries() async throws {
        let script = StubTransport([.ok(Self.heat), .ok(#"{"data": {"titles": ["a", "b"]}}"#)])
        let source = source(try .testing(script))
        #expect(await source.get("7", .normal).value == Film(id: "7", title: "Heat"))
        #expect(await source.list?(EntityQuery(), .normal).value?.map(\.id) == ["a", "b"])
        #expect(script.requests.map(\.head.method) == [.get, .post])
        #expect(
            script.requests[0].head.path?.hasSuffix("&operationName=Film&variables=%7B%22id%22%3A%227%22%7D") == true)
    }

    @Test func mappingMayRefuseAPartialAnswer() async throws {
        let partial = #"{"data": {"film": {"id": "7", "title": "Heat"}}, "errors": [{"message": "no cast"}]}"#
        let failure = await source(try .testing(StubTransport([.ok(partial)]))).get("7", .normal).error
        #expect(failure?.code == .unmappable)
        #expect(failure?.graphQLErrors.map(\.message) == ["no cast"])
    }

    @Test func modelMissingAtTheServiceIsGone() async throws {
        let failure = await source(try .testing(StubTransport([.ok(#"{"data": {"film": null}}"#)]))).get("8", .normal)
            .error
        #expect(failure?.code == .gone)
        #expect(failure?.isAnswer == true)
        #expect(failure?.message == "the service has no model with the id 8")
    }

    @Test func aModelWhoseFieldFailedIsNotGone() async throws {
        let failed = #"{"data": {"film": null}, "errors": [{"message": "timed out", "path": ["film"]}]}"#
        let lenient = RemoteSource<Film>.graphQL(try .testing(StubTransport([.ok(failed)]))) { id in
            .graphQL(get: Films.document, operation: "Film", variables: ["id": id])
        } mapping: { (answer: GraphQLResponse<OneFilm>) in
            answer.data.film.map { Film(id: $0.id, title: $0.title) }
        }
        let failure = await lenient.get("7", .normal).error
        #expect(failure?.code == .unmappable)
        #expect(failure?.graphQLErrors.map(\.message) == ["timed out"])
    }

    @Test(arguments: [
        (HTTPResponse.Status.notFound, ReadFailure.Code.noData, false), (.gone, .noData, false),
        (.badRequest, .noData, false), (.tooManyRequests, .noData, false), (.unauthorized, .status, true),
        (.forbidden, .status, true), (.badGateway, .status, false),
    ])
    func errorStatusNeverReportsAModelGone(
        _ status: HTTPResponse.Status, _ code: ReadFailure.Code, _ isAnswer: Bool
    ) async throws {
        for type in ["text/html", "application/graphql-response+json"] {
            let script = StubTransport([
                .respond(status, fields: [.contentType: type], #"{"errors": [{"message": "no"}]}"#),
                .respond(status, fields: [.contentType: type], #"{"errors": [{"message": "no"}]}"#),
            ])
            let source = source(try .testing(script))
            let one = await source.get("7", .normal).error
            let list = await source.list?(EntityQuery(), .normal).error
            for failure in [one, list] {
                #expect(failure?.code == code)
                #expect(failure?.isAnswer == isAnswer)
                #expect(failure?.response?.status == status)
            }
        }
    }

    @Test func keptAnswerIsServedWhenOffline() async throws {
        let fields: HTTPFields = [.cacheControl: "max-age=86400"]
        let network = StubTransport([.ok(Self.heat, fields: fields), .failure(.offline)])
        let source = try cached(network)
        #expect(await source.get("7", .normal).kept?.source == .network)
        #expect(await source.get("7", .normal).kept?.source == .httpCache)
        let offline = await source.get("7", .reload)
        #expect(offline.value == Film(id: "7", title: "Heat"))
        #expect(offline.error?.code == .offline)
        #expect(network.requests.count == 2)
    }

    @Test func answerWithoutDataIsNotServedFromTheCache() async throws {
        let fields: HTTPFields = [.cacheControl: "max-age=86400"]
        let network = StubTransport([
            .ok(#"{"data": null, "errors": [{"message": "down"}]}"#, fields: fields), .ok(Self.heat, fields: fields),
        ])
        let source = try cached(network)
        #expect(await source.get("7", .normal).error?.code == .noData)
        #expect(await source.get("7", .normal).value?.title == "Heat")
    }
}
