import Testing
import WharfCore
import WharfFakes
import WharfMessaging
import WharfMessagingFakes
import WharfStores

struct ChannelDestinationTests {
    private let clock = TestClock()
    private static let down = DeliveryFailure(.unavailable, message: "down")

    private func entry(
        _ body: String, to channel: String = "sms", seed: UInt64 = 1
    ) async throws -> OutboxEntry {
        let outbox = RecordingOutbox(
            store: MemoryWriteStore(), account: Account("me"), clock: clock.wall, seed: seed)
        let ada = Recipient(id: "ada", addresses: [channel: "+358401"], preference: .all(channel))
        try await Messenger(outbox: outbox, clock: clock.wall).send(
            Message(body: body), to: ada)
        return try #require(outbox.entries.first)
    }

    private func sms(_ overflow: ChannelLimits.Overflow = .split(atMost: 9), rate: RateLimit? = nil) -> RecordingChannel
    {
        RecordingChannel(
            "sms",
            limits: ChannelLimits(
                title: TextLimit.none, body: TextLimit(10, .septets), overflow: overflow, rate: rate))
    }

    @Test func aLongMessageGoesInPartsWithKeysOfTheirOwn() async throws {
        let sms = sms()
        let entry = try await entry("0123456789")
        #expect(await ChannelDestination(sms).deliver(entry).verdict == .delivered)
        #expect(
            sms.delivered.map(\.body) == ["0123456789"]
                && sms.delivered.map(\.key.text) == ["\(entry.key.text).1of1.sms"])
        let long = try await self.entry("0123456789a")
        #expect(await ChannelDestination(sms).deliver(long).verdict == .delivered)
        let parts = sms.delivered.dropFirst()
        #expect(parts.map(\.body) == ["(1/3) 0123", "(2/3) 4567", "(3/3) 89a"])
        #expect(parts.map(\.key.text) == (1...3).map { "\(long.key.text).\($0)of3.sms" })
        #expect(parts.allSatisfy { $0.address == "+358401" && $0.account == Account("me") })
    }

    @Test func twoChannelsToOneProviderHaveKeysOfTheirOwn() async throws {
        let outbox = RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall)
        let ada = Recipient(
            id: "ada", addresses: ["home": "ada@example.com", "work": "ada@example.org"],
            preference: .all("home", "work"))
        try await Messenger(outbox: outbox, clock: clock.wall).send(Message(body: "At noon?"), to: ada)
        let entry = try #require(outbox.entries.first)
        let outgoing = Outgoing()
        for channel in [try outgoing.channel("home"), try outgoing.channel("work")] {
            for _ in 1...2 { #expect(await ChannelDestination(channel).deliver(entry).verdict == .delivered) }
        }
        let identifiers = try outgoing.messages.map { try StrictMessage($0)["Message-ID"] }
        #expect(identifiers[0] == identifiers[1] && identifiers[2] == identifiers[3])
        #expect(identifiers.count == 4 && Set(identifiers).count == 2)
    }

    @Test func acceptedPartIsNotSentAgain() async throws {
        let sms = sms()
        let entry = try await entry("0123456789a")
        let destination = ChannelDestination(sms)
        sms.answer { $0.body.hasPrefix("(2/") ? .retry(Self.down) : .delivered }
        guard case .retry(let failure, _) = await destination.deliver(entry).verdict else {
            Issue.record("it is not tried again")
            return
        }
        #expect(failure.message == "1 of 3 parts were sent; down" && failure.code == .unavailable)
        sms.answer(.delivered)
        #expect(await destination.deliver(entry).verdict == .delivered)
        #expect(sms.delivered.map { $0.body.prefix(5) } == ["(1/3)", "(2/3)", "(3/3)"])
        // All parts have arrived, but their settlement was lost.
        #expect(await destination.deliver(entry).verdict == .delivered)
        #expect(sms.attempts.count == 4)
        // Another process does not know that and sends all parts again.
        #expect(await ChannelDestination(sms).deliver(entry).verdict == .delivered)
        #expect(sms.delivered.suffix(3).map(\.key) == sms.delivered.prefix(3).map(\.key))
    }

    @Test func oversizedMessageIsRejectedIfTheChannelRefuses() async throws {
        let sms = sms(.refuse)
        guard
            case .rejected(let failure) = await ChannelDestination(sms).deliver(try await entry("0123456789a")).verdict
        else {
            Issue.record("it is not rejected")
            return
        }
        #expect(failure.message.contains("at most 10 septets") && failure.message.contains("found 11"))
        #expect(sms.attempts.isEmpty)
    }

    @Test func entryThatIsNoMessageIsRejectedAsUnreadable() async throws {
        let destination = ChannelDestination(sms())
        var newer = try await entry("x")
        newer.kind.version = 3
        var broken = try await entry("x")
        broken.payload = Array("{".utf8)
        for entry in [newer, broken] {
            guard case .rejected(let failure) = await destination.deliver(entry).verdict else {
                Issue.record("it is not rejected")
                return
            }
            #expect(failure.code == .unreadable)
        }
        guard case .rejected = await destination.deliver(try await entry("x", to: "fax")).verdict else {
            Issue.record("a message without an address is not rejected")
            return
        }
    }

    @Test func partsWaitForTheRateOfTheChannel() async throws {
        let sms = sms(rate: RateLimit(2, per: .seconds(1)))
        let destination = ChannelDestination(sms, timer: clock)
        let entry = try await entry("0123456789a")
        async let verdict = destination.deliver(entry).verdict
        await clock.untilSleeping()
        #expect(sms.delivered.count == 2 && clock.nextDeadline == TestClock.Instant(offset: .seconds(1)))
        clock.advance(by: .seconds(1))
        #expect(await verdict == .delivered)
        #expect(sms.delivered.count == 3)
    }

    @Test func messageBeyondTheLongestWaitResumesAtItsNextPart() async throws {
        let sms = sms(rate: RateLimit(1, per: .seconds(60)))
        let destination = ChannelDestination(sms, waitingAtMost: .seconds(59), timer: clock)
        let entry = try await entry("0123456789a")
        let verdict = await destination.deliver(entry).verdict
        guard case .rateLimited(let failure, .some(.seconds(60))) = verdict else {
            Issue.record("it was \(verdict)")
            return
        }
        #expect(failure.code == .rateLimited && failure.message.hasPrefix("1 of 3"))
        clock.advance(by: .seconds(60))
        _ = await destination.deliver(entry)
        #expect(sms.delivered.map { $0.body.prefix(5) } == ["(1/3)", "(2/3)"])
    }

    @Test func cancelledWaitForTheRateSendsNothing() async throws {
        let sms = sms(rate: RateLimit(1, per: .seconds(10)))
        let destination = ChannelDestination(sms, timer: clock)
        let (first, second) = (try await entry("a"), try await entry("b", seed: 2))
        _ = await destination.deliver(first)
        let task = Task { await destination.deliver(second).verdict }
        await clock.untilSleeping()
        task.cancel()
        guard case .rateLimited = await task.value else {
            Issue.record("it was not told to be tried again")
            return
        }
        #expect(sms.delivered.count == 1)
        // Its slot is free for another message.
        clock.advance(by: .seconds(10))
        #expect(await destination.deliver(second).verdict == .delivered)
    }
}
