import LiveTransport
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfHTTP
import WharfJSON
import WharfTestServer

/// The same query value in memory and, through a URL, at a service.
@Suite struct ServiceQueryTests {
    @Test(arguments: 1...3 as ClosedRange<UInt64>) func serviceAndMemoryAnswerQueriesAlike(seed: UInt64) async throws {
        let rows = try QuerySamples.fields.samples(40, seed: seed).enumerated().map { ("\($0)", $1) }
        let queries = try QuerySamples.query.samples(40, seed: seed)
        @Sendable func answer(_ query: RowQuery) -> [String] {
            query.answer(rows, id: { $0.0 }, fields: { $0.1 }).map(\.0)
        }
        try await TestServer.run { server in
            server.route(.get, "/rows") { request in
                let items = request.queryItems.map { QueryItem($0.name, $0.value) }
                do {
                    let ids = answer(try RowQuery(Query(items)))
                    return .json(String(decoding: try JSON.encode(ids), as: UTF8.self))
                } catch {
                    return .text("\(error)")
                }
            }
            let client = APIClient(
                environment: try APIEnvironment(server.baseURL), transport: liveTransport())
            for query in queries {
                let request = Request<[String]>.get("rows", query: Query(query))
                #expect(try await client.fetch(request).value == answer(query), "seed \(seed): \(query)")
            }
        }
    }
}
