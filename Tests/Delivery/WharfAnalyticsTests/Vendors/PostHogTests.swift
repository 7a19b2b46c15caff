import Testing
import WharfAnalytics
import WharfCore
import WharfFakes
import WharfJSON
import WharfOutbox
import WharfStorage
import WharfTestServer

/// PostHog's sink against a service that follows PostHog's documentation.
struct PostHogTests {
    private let stage = VendorStage()

    private func service(limit: Int = PostHogRules.requestLimit) -> VendorService {
        VendorService(limit: limit) { request, body in
            PostHogRules.violations(of: request, body: body, apiKey: "phc_key")
        }
    }

    @Test(arguments: [false, true]) func everyCallIsAsPostHogDocumentsIt(isCompressed: Bool) async throws {
        try await TestServer.run { server in
            let service = service()
            service.serve(on: server)
            let analytics = try await stage.analytics(stage.postHog(server, isCompressed: isCompressed))
            try await stage.tour(analytics)
            #expect(try await analytics.flush().delivered == 8)
            #expect(service.violations == [])
            #expect(service.codings == [isCompressed ? "gzip" : nil])
            let events = service.events
            try #require(events.count == 8)
            #expect(
                events.compactMap { $0["event"]?.text } == [
                    "App Opened", "$screen", "$identify", "$groupidentify", "Note Added", "$create_alias",
                    "$identify", "App Opened",
                ])
            let anonymousID = try #require(events[0]["distinct_id"]?.text)
            #expect(
                events.dropLast().map { $0["distinct_id"]?.text }
                    == [anonymousID, anonymousID, "u-17", "u-17", "u-17", "u-17", "u-0017"])
            #expect(events[7]["distinct_id"]?.text != anonymousID)
            let properties = events.compactMap { $0["properties"] }
            try #require(properties.count == 8)
            #expect(
                properties.map { $0["$process_person_profile"] == false }
                    == [true, true, false, false, false, false, false, true])
            #expect(properties[1]["$screen_name"] == "Welcome")
            #expect(properties[2]["$anon_distinct_id"]?.text == anonymousID)
            #expect(properties[2]["$set"] == ["plan": "pro"] && properties[2]["$set_once"] == ["first_plan": "free"])
            #expect(properties[3]["$group_set"] == ["seats": 5])
            #expect(properties[4]["$groups"] == ["company": "acme"] && properties[4]["theme"] == "dark")
            #expect(properties[5]["alias"] == "u-0017")
            #expect(properties[6]["$anon_distinct_id"]?.text == anonymousID)
            // The second day is another session, and so is the time after the reset.
            let sessions = properties.compactMap { $0["$session_id"]?.text }
            try #require(sessions.count == 8)
            #expect(Set(sessions).count == 3 && sessions[0] == sessions[3] && sessions[4] == sessions[6])
            await stage.outbox.close()
        }
    }

    @Test func aBatchThatPostHogFindsTooLargeIsSentInParts() async throws {
        try await TestServer.run { server in
            let service = service(limit: 1_500)
            service.serve(on: server)
            let analytics = try await stage.analytics(stage.postHog(server))
            for number in 0..<20 { try await analytics.track("Opened \(number)") }
            try await analytics.flush()
            #expect(service.violations == [])
            #expect(service.events.compactMap { $0["event"]?.text } == (0..<20).map { "Opened \($0)" })
            #expect(service.batches.count > 1)
            await stage.outbox.close()
        }
    }

    @Test func aRateLimitAndAFailureHoldTheBatch() async throws {
        try await TestServer.run { server in
            let service = service()
            service.serve(on: server)
            service.refuse(.status(.tooManyRequests, fields: [.retryAfter: "30"]), .status(.serviceUnavailable))
            let analytics = try await stage.analytics(stage.postHog(server))
            try await analytics.track("Opened")
            for _ in 0..<2 {
                #expect(try await analytics.flush().failed == 1)
                stage.clock.advance(by: .seconds(40))
            }
            #expect(try await analytics.flush().delivered == 1)
            #expect(service.violations == [])
            // The event is the same on every attempt, by the id with which PostHog deduplicates.
            #expect(service.events.count == 1)
            await stage.outbox.close()
        }
    }

    @Test func anEventLargerThanPostHogTakesIsRefused() async throws {
        try await TestServer.run { server in
            let analytics = try await stage.analytics(stage.postHog(server))
            let text = JSONValue(.string(String(repeating: "x", count: 1_000_000)))
            let error = await #expect(throws: AnalyticsError.self) {
                try await analytics.track("Pasted", ["text": text])
            }
            #expect(error?.code == .tooLarge && error?.size?.limit == 1_000_000)
            await stage.outbox.close()
        }
    }

    /// PostHog merges the person of `alias` into `distinct_id`, unless that person is identified.
    @Test(arguments: ["a": ["u", "a"], "u-17": ["u-17", "u"]])
    func anAliasMergesThePersonThatIsNotIdentified(previous: String, ids: [String]) {
        var event = TrackedEvent(
            id: "1", kind: .alias(previous: previous), name: "alias", time: WallTime(secondsSince1970: 1))
        event.anonymousID = "a"
        event.user = "u"
        let json = CollectorFormat.postHog(apiKey: "k").event(event)
        #expect([json["distinct_id"]?.text, json["properties"]?["alias"]?.text] == ids)
    }

    @Test func anonymousProfilesAreAnOption() {
        var event = TrackedEvent(id: "1", name: "Opened", time: WallTime(secondsSince1970: 1))
        event.anonymousID = "a"
        let key = "$process_person_profile"
        #expect(CollectorFormat.postHog(apiKey: "k").event(event)["properties"]?[key] == false)
        let withPersons = CollectorFormat.postHog(apiKey: "k", anonymousProfiles: true).event(event)
        #expect(withPersons["properties"]?[key] == nil)
        // PostHog refuses the whole request if a uuid is malformed.
        #expect(withPersons["uuid"] == nil)
    }
}
