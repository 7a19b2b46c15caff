import Testing
import WharfCore
import WharfFakes
import WharfMessaging
import WharfMessagingFakes
import WharfOutbox
import WharfRandom
import WharfStorage
import WharfStores

struct MessengerTests {
    private let clock = TestClock()
    private let email = RecordingChannel("email")
    private let sms = RecordingChannel("sms", limits: ChannelLimits(title: TextLimit.none))
    private let pigeon = RecordingChannel("pigeon")

    private let ada = Recipient(
        id: "ada", name: "Ada", addresses: ["email": "ada@example.com", "sms": "+358401"],
        preference: .first(of: "email", "sms"))
    private let hipster = Recipient(id: "hip", addresses: ["pigeon": "roof 7"], preference: .all("pigeon"))

    private func engine() -> OutboxEngine {
        OutboxEngine(
            store: MemoryWriteStore(), destinations: [email, sms, pigeon].map { ChannelDestination($0, timer: clock) },
            configuration: .init(clock: clock.wall, timer: clock, random: SeededGenerator(seed: 1)))
    }

    private func messenger(_ outbox: any Outbox) -> Messenger { Messenger(outbox: outbox, clock: clock.wall) }

    private static let refused = DeliveryFailure(.rejected, message: "no such user")

    @Test func recipientGetsTheMessageByThePreferredChannel() async throws {
        let outbox = engine()
        let sent = try await messenger(outbox).send(Message(title: "Lunch", body: "At noon?"), to: ada, hipster)
        #expect(sent.map(\.recipient) == ["ada", "hip"])
        _ = try await outbox.drain()
        #expect(email.delivered.map(\.address) == ["ada@example.com"] && email.delivered.map(\.name) == ["Ada"])
        #expect(email.delivered.map(\.title) == ["Lunch"] && email.delivered.map(\.body) == ["At noon?"])
        #expect(email.delivered.map(\.sentAt) == [clock.wall.now()])
        #expect(pigeon.delivered.map(\.address) == ["roof 7"])
        #expect(sms.attempts.isEmpty)
    }

    @Test func theOutcomeIsReportedForEachChannelOfEachRecipient() async throws {
        let outbox = engine()
        email.answer(.rejected(Self.refused))
        let messenger = messenger(outbox)
        let sent = try await messenger.send(Message(title: "Lunch", body: "At noon?"), to: [ada, hipster])
        async let first = messenger.outcome(of: sent[0])
        async let second = messenger.outcome(of: sent[1])
        outbox.start()
        let outcomes = (try await first, try await second)
        #expect(outcomes.0.channels == ["email": .dead(attempts: 1, Self.refused), "sms": .delivered])
        #expect(outcomes.0.delivered == ["sms"] && outcomes.0.failures == ["email": Self.refused])
        #expect(outcomes.1.delivered == ["pigeon"] || outcomes.1.channels == nil)
        #expect(sms.delivered.map(\.body) == ["Lunch\nAt noon?"])
        await outbox.close()
    }

    @Test func urgentMessageEscalatesWhenTheFirstChannelIsSlow() async throws {
        let outbox = engine()
        email.answer(.offline(DeliveryFailure(.offline, message: "no network")))
        var urgent = ada
        urgent.preference = .escalating(from: "email", to: "sms", after: .seconds(300))
        try await messenger(outbox).send(Message(body: "Fire"), to: urgent)
        _ = try await outbox.drain()
        #expect(sms.delivered.isEmpty)
        clock.advance(by: .seconds(300))
        _ = try await outbox.drain()
        #expect(sms.delivered.map(\.body) == ["Fire"])
    }

    @Test func aMemberOfTwoGroupsGetsTheMessageOnce() async throws {
        let outbox = engine()
        let crew = RecipientGroup(id: "crew", members: [ada, hipster])
        let guests = RecipientGroup(id: "guests", members: [hipster])
        let sent = try await messenger(outbox).send(Message(body: "At noon?"), to: crew, guests)
        #expect(sent.map(\.recipient) == ["ada", "hip"])
        _ = try await outbox.drain()
        #expect(email.delivered.count == 1 && pigeon.delivered.count == 1)
    }

    @Test func aChannelThatGivesUpLetsTheNextOneTry() async throws {
        let first = ChannelDestination(email, givingUpAfter: .seconds(600), timer: clock, clock: clock.wall)
        let outbox = OutboxEngine(
            store: MemoryWriteStore(), destinations: [first, ChannelDestination(sms, timer: clock)],
            configuration: .init(clock: clock.wall, timer: clock, random: SeededGenerator(seed: 1)))
        email.answer(.retry(DeliveryFailure(.unavailable, message: "greylisted")))
        try await messenger(outbox).send(Message(body: "Fire"), to: ada)
        _ = try await outbox.drain()
        clock.advance(by: .seconds(599))
        _ = try await outbox.drain()
        #expect(email.attempts.count == 2 && sms.delivered.isEmpty)
        clock.advance(by: .seconds(1))
        email.answer(.delivered)
        for _ in 0..<3 {
            clock.advance(by: .seconds(60))
            _ = try await outbox.drain()
        }
        #expect(email.delivered.isEmpty && sms.delivered.map(\.body) == ["Fire"])
    }

    @Test func eachRecipientHasALaneOfTheirOwn() async throws {
        let outbox = RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall)
        let messenger = messenger(outbox)
        try await messenger.send(Message(body: "1"), to: ada, hipster)
        try await messenger.send(Message(body: "2"), to: ada)
        #expect(outbox.entries.map(\.lane) == ["message/ada", "message/hip", "message/ada"])
        #expect(Set(outbox.entries.map(\.key)).count == 3)
    }

    @Test func aMessageToSeveralIsKeptForAllOrForNone() async throws {
        let outbox = RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall)
        let messenger = messenger(outbox)
        let nobody = Recipient(id: "nobody", addresses: ["fax": "1"], preference: .first(of: "email", "sms"))
        let error = await #expect(throws: MessagingError.self) {
            try await messenger.send(Message(body: "x"), to: ada, nobody)
        }
        #expect(error?.code == .noAddress)
        #expect(error?.message.contains("nobody") == true && error?.message.contains("email, sms") == true)
        #expect(outbox.entries.isEmpty)
        try await messenger.send(Message(body: "x"), to: ada, hipster)
        #expect(outbox.commits.count == 1)

        outbox.fail(with: StoreError(.full, message: "disk full"))
        let full = await #expect(throws: MessagingError.self) { try await messenger.send(Message(body: "y"), to: ada) }
        #expect(full?.code == .notStored && (full?.cause as? StoreError)?.code == .full)
    }

    @Test func onlyTheAddressesThatAreNeededLieInTheOutbox() async throws {
        let outbox = RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall)
        var careful = ada
        careful.preference = .all("sms")
        try await messenger(outbox).send(Message(body: "x"), to: careful)
        let payload = String(decoding: try #require(outbox.entries.first).payload, as: UTF8.self)
        #expect(payload.contains("+358401") && !payload.contains("example.com"))
    }

    @Test func newChannelNeedsOnlyAnotherDestination() async throws {
        let outbox = engine()
        let drone = RecordingChannel("drone")
        outbox.register(ChannelDestination(drone, timer: clock))
        var modern = hipster
        modern.addresses["drone"] = "60.17, 24.94"
        modern.preference = .all("drone", "pigeon")
        try await messenger(outbox).send(Message(body: "Hello"), to: modern)
        _ = try await outbox.drain()
        #expect(drone.delivered.map(\.address) == ["60.17, 24.94"] && pigeon.delivered.count == 1)
    }
}
