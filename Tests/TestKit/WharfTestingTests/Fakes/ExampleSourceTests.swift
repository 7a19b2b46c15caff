import Testing
import WharfCore
import WharfFakes
import WharfJSON
import WharfJSONFakes
import WharfRepository

@Suite struct ExampleSourceTests {
    struct Film: Decodable, Identifiable, Hashable, Sendable {
        let id: Int
        let title: String
    }

    struct Person: Identifiable, Hashable, Sendable {
        let id: String
        let name: String
    }

    struct PersonPayload: Decodable, Sendable {
        let handle: String
        let fullName: String
    }

    /// A directly decoded type.
    struct Place: JSONDecodable, Identifiable, Sendable {
        let id: Int
        static func decode(from json: inout JSONReader) -> Place? {
            JSONValue.decode(from: &json).flatMap { value in
                guard case .number(let number) = value["id"]?.content else { return nil }
                return number.integer(Int.self).map(Place.init)
            }
        }
    }

    @Test func oneExampleServesReadsAndLists() async throws {
        let films = Repository(source: try RemoteSource<Film>.example(#"{"id": 7, "title": "Heat"}"#, count: 3))
        #expect(try await films.get(id: 7) == Film(id: 7, title: "Heat"))
        #expect(try await films.get(id: 42) == Film(id: 42, title: "Heat"))
        #expect(try await films.list().map(\.id) == [7, 8, 9])
        #expect(try await films.list(EntityQuery().limit(2)).map(\.id) == [7, 8])
    }

    @Test func anArrayOfExamplesIsTheList() async throws {
        let json = #"[{"id": 1, "title": "Heat"}, {"id": 2, "title": "Alien"}]"#
        let source = try RemoteSource<Film>.example(json)
        let list = try #require(source.list)
        #expect(await list(EntityQuery(), .reload).value?.map(\.title) == ["Heat", "Alien"])
        let sorted = EntityQuery<Film>(rows: RowQuery(sort: [SortKey("title")]))
        #expect(await list(sorted, .reload).value?.map(\.title) == ["Alien", "Heat"])
        #expect(await source.get(2, .reload).value?.title == "Alien")
        #expect(await source.get(3, .reload).value?.title == "Heat")
    }

    @Test func examplePayloadIsMappedAsInALiveSource() async throws {
        let source = try RemoteSource<Person>.example(
            #"{"handle": "ada", "full_name": "Ada"}"#, payload: PersonPayload.self, id: "handle", count: 2,
            configure: { $0.keyDecodingStrategy = .convertFromSnakeCase },
            mapping: { Person(id: $0.handle, name: $0.fullName) })
        let list = await source.list?(EntityQuery(), .reload)
        #expect(list?.value == [Person(id: "ada", name: "Ada"), Person(id: "ada-2", name: "Ada")])
        #expect(await source.get("grace", .reload).value == Person(id: "grace", name: "Ada"))
    }

    @Test func aPayloadThatDecodesDirectlyServesToo() async throws {
        let source = try RemoteSource<Place>.example(#"{"id": 1}"#, payload: Place.self, mapping: { $0 })
        #expect(await source.get(5, .reload).value?.id == 5)
    }

    @Test func undecodableExampleNamesItsPlace() {
        let wrong = """
            [
              {"id": 1, "title": "Heat"},
              {"id": 2, "title": 5}
            ]
            """
        for (json, place) in [("{\n  \"id\": 1,\n  \"title\": 7\n}", "3:12"), (wrong, "3:22"), ("{\n oops}", "2:2")] {
            let failure = #expect(throws: ReadFailure.self) { try RemoteSource<Film>.example(json) }
            #expect(failure?.code == .undecodable)
            #expect(failure?.message.contains(": \(place)") == true, "\(failure?.message ?? "")")
            #expect(failure?.cause is JSONError)
        }
    }

    @Test func anErrorInALaterExampleHasItsPlaceInTheWholeText() {
        let json = #"""
            [{"id": 1, "title": "日本"}, {"id": 2, "title": 5}]
            """#
        let failure = #expect(throws: ReadFailure.self) { try RemoteSource<Film>.example(json) }
        #expect((failure?.cause as? JSONError)?.location.column == 47, "\(failure?.message ?? "")")
    }

    @Test func anExampleWithoutItsIdSaysHowToNameIt() {
        let failure = #expect(throws: ReadFailure.self) {
            try RemoteSource<Person>.example(
                #"{"handle": "ada", "fullName": "Ada"}"#, payload: PersonPayload.self,
                mapping: { Person(id: $0.handle, name: $0.fullName) })
        }
        #expect(failure?.message.contains("name the member that holds the id by id:") == true)
    }

    @Test func idLostByTheMappingIsAnError() async throws {
        let source = try RemoteSource<Person>.example(
            #"{"id": 1, "handle": "ada", "fullName": "Ada"}"#, payload: PersonPayload.self,
            mapping: { Person(id: $0.handle, name: $0.fullName) })
        #expect(await source.get("grace", .reload).error?.code == .unmappable)
    }

    @Test func throwingMappingIsReportedAsUnmappable() {
        struct NoModel: Error {}
        let failure = #expect(throws: ReadFailure.self) {
            try RemoteSource<Film>.example(#"{"id": 1, "title": ""}"#, payload: Film.self) { _ in throw NoModel() }
        }
        #expect(failure?.code == .unmappable)
        #expect(failure?.cause is NoModel)
    }

    @Test func delayAndFailureApplyToEachAnswer() async throws {
        let clock = TestClock()
        let offline = ReadFailure(.offline, message: "scripted")
        let source = try RemoteSource<Film>.example(
            #"{"id": 1, "title": "Heat"}"#, delay: .seconds(2), failure: offline, timer: clock)
        let read = Task { await source.get(1, .reload) }
        await clock.untilSleeping()
        clock.advance(by: .seconds(2))
        #expect(await read.value.error == offline)
        #expect(await source.get(1, .storedOnly).error?.code == .nothingKept)
    }

    @Test(arguments: [
        ("7", 1, "8"), ("099", 1, "100"), ("film-09", 2, "film-11"), ("ada", 1, "ada-2"), ("", 1, "-2"),
        ("3F2504E0-4F89-11D3-9A0C-0305E82C33FF", 1, "3F2504E0-4F89-11D3-9A0C-0305E82C3400"),
        ("3f2504e0-4f89-11d3-9a0c-0305e82c33fa", 2, "3f2504e0-4f89-11d3-9a0c-0305e82c33fc"),
    ])
    func idsAreCountedUp(id: String, steps: Int, expected: String) async throws {
        let json = String(
            decoding: try JSON.encode(JSONValue(.object([JSONMember("id", JSONValue(.string(id)))]))), as: UTF8.self)
        struct Thing: Decodable, Identifiable, Sendable { let id: String }
        let source = try RemoteSource<Thing>.example(json, count: steps + 1)
        #expect(await source.list?(EntityQuery(), .reload).value?.last?.id == expected)
    }
}
