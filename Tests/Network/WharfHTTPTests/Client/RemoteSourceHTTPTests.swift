import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfHTTP

@Suite struct RemoteSourceHTTPTests {
    private struct Person: Identifiable, Sendable, Equatable {
        let id: String
        let name: String
    }

    private struct PersonPayload: Decodable, Sendable {
        let login: String
        let name: String?
    }

    private struct Nameless: Error {}

    private func source(_ script: any Transport) throws -> RemoteSource<Person> {
        .http(try .testing(script), at: "people", payload: PersonPayload.self) { payload in
            guard let name = payload.name else { throw Nameless() }
            return Person(id: payload.login, name: name)
        }
    }

    @Test func modelIsFetchedByItsIDBelowTheListPath() async throws {
        let script = StubTransport([.ok(#"{"login": "a/b", "name": "Ann"}"#)])
        let snapshot = try await source(script).get("a/b", .reload)
        #expect(snapshot.value == Person(id: "a/b", name: "Ann"))
        #expect(script.requests.map(\.head.path) == ["/people/a%2Fb"])
        #expect(script.requests.map(\.cache) == [.reload])
    }

    @Test func keptAnswerAndNetworkAreOneCall() async throws {
        let script = StubTransport { request in
            request.cache == .storedOnly ? .failure(.nothingKept) : .ann
        }
        let ids = Mutex<[Int]>([])
        let source = RemoteSource<User>.http(
            try .testing(script),
            get: { id in
                ids.withLock { $0.append(id) }
                return .get("users/\(id)")
            })
        let answer = await source.getStoredThenNetwork(1)
        #expect(answer.stored.error?.code == .nothingKept)
        #expect(await answer.network(.reload).value == .ann)
        #expect(ids.withLock { $0 } == [1])
        #expect(script.requests.map(\.cache) == [.storedOnly, .reload])
        #expect(Set(script.requests.map(\.head.path)) == ["/users/1"])
    }

    @Test func theListKeepsItsOrder() async throws {
        let script = StubTransport([.ok(#"[{"login": "b", "name": "Bob"}, {"login": "a", "name": "Ann"}]"#)])
        let list = try #require(try source(script).list)
        #expect(await list(EntityQuery(), .normal).value?.map(\.id) == ["b", "a"])
        #expect(script.requests.map(\.head.path) == ["/people"])
    }

    @Test func mappingFailureIsDistinctFromDecodingFailure() async throws {
        let script = StubTransport([.ok(#"{"login": "a"}"#), .ok("[]"), .ok(#"[{"login": "a"}]"#)])
        let source = try source(script)
        #expect(await source.get("a", .normal).error?.code == .unmappable)
        #expect(await source.get("a", .normal).error?.code == .undecodable)
        #expect(await source.list?(EntityQuery(), .normal).error?.code == .unmappable)
    }

    @Test(arguments: ["", ".", ".."])
    func anIdThatWouldAddressTheListIsNotSent(_ id: String) async throws {
        let script = StubTransport([.ok("[]")])
        #expect(try await source(script).get(id, .normal).error?.code == .invalidRequest)
        #expect(script.requests.isEmpty)
    }

    @Test func provenanceComesThroughTheMapping() async throws {
        let script = Marked(StubTransport([.ann])) { _, provenance in
            provenance = Provenance(
                source: .httpCache, asOf: WallTime(secondsSince1970: 7), staleAt: WallTime(secondsSince1970: 9),
                failure: TransportError(.timedOut, message: "late")
            )
        }
        let source = RemoteSource<User>.http(try .testing(script), at: "users", payload: User.self) { $0 }
        let snapshot = await source.get(1, .normal)
        #expect(snapshot.value == .ann)
        #expect(snapshot.kept?.source == .httpCache)
        #expect(snapshot.kept?.asOf == WallTime(secondsSince1970: 7))
        #expect(snapshot.kept?.staleAt == WallTime(secondsSince1970: 9))
        #expect(snapshot.error?.code == .timedOut)
    }

    @Test func requestsOfAnyShapeMakeASource() async throws {
        let script = StubTransport([.ok(#"{"results": [{"id": 1, "name": "Ann"}]}"#)])
        struct Page: Decodable, Sendable { let results: [User] }
        let source = RemoteSource<User>.http(
            try .testing(script), get: { .get("search", query: ["id": "\($0)"]) },
            list: { query in
                Request<Page>.get("search", query: ["max": query.rows.limit.map(String.init)]).map(\.results)
            }
        )
        #expect(await source.list?(EntityQuery().limit(3), .normal).value == [.ann])
        #expect(script.requests.map(\.head.path) == ["/search?max=3"])
    }
}
