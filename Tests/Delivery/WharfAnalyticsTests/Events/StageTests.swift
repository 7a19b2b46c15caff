import Testing
import WharfAnalytics
import WharfAnalyticsFakes
import WharfCore
import WharfFakes
import WharfJSON

@Suite struct StageTests {
    let stage = Stage()

    @Test func stagesForAllComeBeforeThoseOfASink() async throws {
        let note = { @Sendable (mark: String) -> any EventStage in
            .enriching { $0.name += mark }
        }
        let analytics = stage.analytics(
            [AnalyticsDestination(RecordingSink(), consent: stage.consent, stages: [note("3"), note("4")])],
            stages: [note("1"), note("2")])
        try await analytics.track(FilmOpened(film: 7))
        #expect(try stage.events().map(\.name) == ["film.opened1234"])
    }

    @Test func stageOfOneSinkDoesNotChangeTheOthersEvents() async throws {
        let analytics = stage.analytics([
            AnalyticsDestination(RecordingSink("a"), consent: stage.consent, stages: [.redacting("film")]),
            AnalyticsDestination(RecordingSink("b"), consent: stage.consent),
            AnalyticsDestination(RecordingSink("c"), consent: stage.consent, stages: [.filtering { _ in false }]),
        ])
        let tracked = try await analytics.track(FilmOpened(film: 7))
        let entries = stage.outbox.entries
        #expect(entries.map { $0.targets.map(\.destination) } == [["a"], ["b"]])
        #expect(try stage.events().map(\.properties) == [["from": "search"], ["film": 7, "from": "search"]])
        // One event with two keys, as the bytes differ.
        #expect(try stage.events().map { .kept(id: $0.id) } == [tracked, tracked])
        #expect(Set(entries.map(\.key)).count == 2)
    }

    @Test func contextStageKeepsExistingValues() throws {
        let event = TrackedEvent.sample(context: ["app": "own"])
        let stage: any EventStage = .context(["app": "1.2", "os": "Linux"])
        #expect(stage.process(event)?.context == ["app": "own", "os": "Linux"])
    }

    @Test func userClosureIsCalledForEachEvent() async throws {
        let people = Calls<String>()
        let analytics = stage.analytics(stages: [
            .user {
                people.add("asked")
                return "ada"
            }
        ])
        try await analytics.track(FilmOpened(film: 1))
        try await analytics.track(FilmOpened(film: 2))
        #expect(try stage.events().map(\.user) == ["ada", "ada"])
        #expect(await people.countWhenQuiet() == 2)
    }

    @Test func redactionFindsNamesAtAnyDepthInAnyCase() {
        let event = TrackedEvent.sample(
            properties: ["Email": "a", "list": [["email": "b", "kept": [["EMAIL": ["c"]]]], "email"], "n": 1],
            context: ["email": 1])
        let removed = EventRedaction(["email"]).process(event)
        #expect(removed?.properties == ["list": [["kept": [[:]]], "email"], "n": 1])
        #expect(removed?.context == [:])
        let masked = EventRedaction(["eMail"], replacement: "***").process(event)
        #expect(
            masked?.properties
                == ["Email": "***", "list": [["email": "***", "kept": [["EMAIL": "***"]]], "email"], "n": 1])
    }

    @Test func samplingKeepsItsShareAndWholeSessions() {
        let sampling = EventSampling(0.25) { $0.session ?? "" }
        var kept = 0
        for session in 0..<4_000 {
            let answers = (0..<3).map { number in
                var event = TrackedEvent.sample(number)
                event.session = "session \(session)"
                return sampling.process(event) != nil
            }
            #expect(Set(answers).count == 1)
            kept += answers[0] ? 1 : 0
        }
        #expect((900...1_100).contains(kept))
    }

    /// Otherwise a receiver would attribute the user's events to two persons.
    @Test func samplingKeepsIdentityEvents() {
        let kinds: [TrackedEvent.Kind] = [.identify(linking: nil), .alias(previous: "a"), .group(type: "t", id: "g")]
        for kind in kinds {
            let event = TrackedEvent(id: "1", kind: kind, name: kind.name, time: WallTime(secondsSince1970: 1))
            #expect(EventSampling(0).process(event) == event)
        }
        let screen = TrackedEvent(id: "1", kind: .screen, name: "s", time: WallTime(secondsSince1970: 1))
        #expect(EventSampling(0).process(screen) == nil)
    }

    @Test func traitsAreRedactedToo() {
        var event = TrackedEvent(
            id: "1", kind: .identify(linking: nil), name: "identify", time: WallTime(secondsSince1970: 1),
            properties: ["email": "a", "plan": "pro"])
        event.traitsOnce = ["Email": "a", "from": "b"]
        let redacted = EventRedaction(["email"]).process(event)
        #expect(redacted?.properties == ["plan": "pro"] && redacted?.traitsOnce == ["from": "b"])
    }

    @Test(arguments: [(0, 0), (1, 500)] as [(Double, Int)])
    func samplingOfZeroKeepsNoneAndOfOneKeepsAll(share: Double, count: Int) {
        #expect((0..<500).count { EventSampling(share).process(.sample($0)) != nil } == count)
    }

    @Test func withoutASessionEventsAreSampledOneByOne() {
        let kept = (0..<400).count { EventSampling(0.5).process(.sample($0)) != nil }
        #expect((140...260).contains(kept))
    }
}
