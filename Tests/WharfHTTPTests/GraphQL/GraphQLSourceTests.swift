import Testing
import WharfCache
import WharfCore
import WharfGraphQL
import WharfHTTP
import WharfTesting

@Suite struct GraphQLSourceTests {
    private struct Film: Identifiable, Sendable, Equatable {
        let id: String
        let title: String
    }

    private struct TitlesData: Decodable, Sendable { let titles: [String] }
    private struct NotThere: Error {}

    private func source(_ client: APIClient) -> RemoteSource<Film> {
        .graphQL(client) { id in
            .graphQL(get: Films.document, operation: "Film", variables: ["id": id])
        } mapping: { (answer: GraphQLResponse<FilmData>) in
            guard let film = try answer.complete().film else { throw NotThere() }
            return Film(id: "7", title: film.title)
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

    private static let heat = #"{"data": {"film": {"title": "Heat"}}}"#

    @Test func modelsComeFromQueries() async throws {
        let script = StubTransport([.ok(Self.heat), .ok(#"{"data": {"titles": ["a", "b"]}}"#)])
        let source = source(try .testing(script))
        #expect(await source.get("7", .normal).value == Film(id: "7", title: "Heat"))
        #expect(await source.list?(EntityQuery(), .normal).value?.map(\.id) == ["a", "b"])
        #expect(script.requests.map(\.head.method) == [.get, .post])
        #expect(
            script.requests[0].head.path?.hasSuffix("&operationName=Film&variables=%7B%22id%22%3A%227%22%7D") == true)
    }

    @Test func aMappingDecidesWhatAPartialAnswerIsWorth() async throws {
        let partial = #"{"data": {"film": {"title": "Heat"}}, "errors": [{"message": "no cast"}]}"#
        let failure = await source(try .testing(StubTransport([.ok(partial)]))).get("7", .normal).error
        #expect(failure?.code == .unmappable)
        #expect(failure?.graphQLErrors.map(\.message) == ["no cast"])
    }

    @Test func anAnswerThatIsKeptStandsInWhenTheNetworkIsGone() async throws {
        let fields: HTTPFields = [.cacheControl: "max-age=60"]
        let network = StubTransport([.ok(Self.heat, fields: fields), .failure(.offline)])
        let source = try cached(network)
        #expect(await source.get("7", .normal).kept?.source == .network)
        #expect(await source.get("7", .normal).kept?.source == .httpCache)
        let offline = await source.get("7", .reload)
        #expect(offline.value == Film(id: "7", title: "Heat"))
        #expect(offline.error?.code == .offline)
        #expect(network.requests.count == 2)
    }

    @Test func anAnswerWithoutDataThatIsKeptKeepsNoBetterOneAway() async throws {
        let fields: HTTPFields = [.cacheControl: "max-age=60"]
        let network = StubTransport([
            .ok(#"{"data": null, "errors": [{"message": "down"}]}"#, fields: fields), .ok(Self.heat, fields: fields),
        ])
        let source = try cached(network)
        #expect(await source.get("7", .normal).error?.code == .noData)
        #expect(await source.get("7", .normal).value?.title == "Heat")
    }
}
