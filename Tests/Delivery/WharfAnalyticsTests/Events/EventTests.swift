import Testing
import WharfAnalytics
import WharfChecks
import WharfCore
import WharfFakes
import WharfJSON

private struct ByHand: AnalyticsEvent {
    let name = "by.hand"
    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("a", [1, 2])
        json.endObject()
    }
}

private struct Nothing: AnalyticsEvent, Encodable { var name: String { "nothing" } }

private struct NoObject: AnalyticsEvent {
    let name = "no.object"
    func encode(into json: inout JSONWriter) { json.integer(7) }
}

private struct NotANumber: AnalyticsEvent, Encodable {
    var name: String { "not.a.number" }
    let value = Double.nan
}

@Suite struct EventTests {
    let stage = Stage()

    @Test func encodedMembersAreTheEventsProperties() async throws {
        let analytics = stage.analytics()
        try await analytics.track(FilmOpened(film: 7, from: "a/b"))
        try await analytics.track(ByHand())
        try await analytics.track(Nothing())
        let events = try stage.events()
        #expect(events.map(\.name) == ["film.opened", "by.hand", "nothing"])
        #expect(events.map(\.properties) == [["film": 7, "from": "a/b"], ["a": [1, 2]], [:]])
    }

    @Test(arguments: [NoObject(), NotANumber()] as [any AnalyticsEvent])
    func eventThatIsNoJSONObjectIsRefusedAndCounted(event: any AnalyticsEvent) async throws {
        let analytics = stage.analytics()
        let error = await #expect(throws: AnalyticsError.self) { try await analytics.track(event) }
        #expect(error?.code == .notEncodable)
        #expect(error?.message.contains(event.name) == true)
        #expect(try await analytics.counts().lost == [.notEncodable: 1])
        #expect(stage.outbox.entries.isEmpty)
    }

    @Test func trackEventHasItsDocumentedJSON() throws {
        var event = TrackedEvent.sample(context: ["b": 2, "a": 1])
        event.user = "ada"
        event.session = "s"
        #expect(
            String(decoding: try JSON.encode(event), as: UTF8.self)
                == #"{"id":"event-1","name":"film.opened","time":1000000001000,"category":"statistics","user":"ada","#
                + #""session":"s","properties":{"film":7},"context":{"a":1,"b":2}}"#)
    }

    @Test func groupEventHasItsTypeInTheJSON() throws {
        var event = TrackedEvent(
            id: "event-1", kind: .group(type: "company", id: "acme"), name: "group",
            time: WallTime(secondsSince1970: 1), properties: ["seats": 5])
        event.traitsOnce = ["a": 1]
        event.anonymousID = "anon"
        event.user = "u-17"
        event.groups = ["company": "acme"]
        event.session = "s"
        #expect(
            String(decoding: try JSON.encode(event), as: UTF8.self)
                == #"{"id":"event-1","type":"group","name":"group","time":1000,"category":"statistics","#
                + #""groupType":"company","group":"acme","anonymous":"anon","user":"u-17","#
                + #""groups":{"company":"acme"},"session":"s","properties":{"seats":5},"once":{"a":1}}"#)
    }

    @Test(arguments: [#""type":"alias""#, #""type":"group","group":"g""#, #""type":"later""#])
    func unknownOrIncompleteTypeIsNotDecoded(members: String) {
        let text = #"{"id":"1","name":"n","time":1,"category":"c",\#(members)}"#
        #expect(throws: JSONError.self) { try JSON.decode(TrackedEvent.self, from: Array(text.utf8)) }
    }

    @Test func anEventIsReadAsItWasWritten() async throws {
        let text = Generator<String>.string()
        let events = Generator { choices in
            let kinds: [TrackedEvent.Kind] = [
                .track, .screen, .identify(linking: nil), .identify(linking: try choices.draw(text)),
                .alias(previous: try choices.draw(text)),
                .group(type: try choices.draw(text), id: try choices.draw(text)),
            ]
            var event = TrackedEvent(
                id: try choices.draw(text), kind: try choices.draw(.element(of: kinds)), name: try choices.draw(text),
                time: WallTime(nanoseconds: try choices.draw(.int(in: Int64.min...Int64.max))),
                category: .init(try choices.draw(text)))
            for _ in 0..<(try choices.draw(.int(in: 0...3))) {
                event.properties[try choices.draw(text)] = JSONValue(.string(try choices.draw(text)))
                event.traitsOnce[try choices.draw(text)] = JSONValue(.string(try choices.draw(text)))
                event.groups[try choices.draw(text)] = try choices.draw(text)
                event.context[try choices.draw(text)] = JSONValue(.bool(try choices.draw(.bool)))
            }
            if try choices.draw(.bool) { event.user = try choices.draw(text) }
            if try choices.draw(.bool) { event.anonymousID = try choices.draw(text) }
            if try choices.draw(.bool) { event.session = try choices.draw(text) }
            return event
        }
        try await forAll(events, runs: 500) { event in
            let bytes = try JSON.encode(event)
            let read = try JSON.decode(TrackedEvent.self, from: bytes)
            try require(read == event, "read \(read)")
            try require(try JSON.encode(read) == bytes, "other bytes")
        }
    }

    @Test func aTimeIsCutToMilliseconds() {
        let event = TrackedEvent(id: "1", name: "n", time: WallTime(nanoseconds: -1))
        #expect(event.time == WallTime(nanoseconds: -1_000_000))
    }
}
