import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfMessaging
import WharfMessagingFakes
import WharfOutbox
import WharfRandom
import WharfStorage
import WharfStores

struct OptionalChannelTests {
    private typealias State = OutboxRecord.State

    private let clock = TestClock()
    private let email = RecordingChannel("email")
    private let push = RecordingChannel("push")

    private let ada = Recipient(
        id: "ada", addresses: ["email": "ada@example.com", "push": "token"], preference: .all("email", "push"),
        optional: ["push"])

    private static let refused = DeliveryFailure(.rejected, message: "no such token")
    private static let sent = SentMessage(
        entry: OutboxEntry.ID("1"), recipient: "ada")

    private func engine(_ channels: RecordingChannel...) -> OutboxEngine {
        OutboxEngine(
            store: MemoryWriteStore(), destinations: channels.map { ChannelDestination($0, timer: clock) },
            configuration: .init(clock: clock.wall, timer: clock, random: SeededGenerator(seed: 1)))
    }

    private func messenger(_ outbox: any Outbox) -> Messenger { Messenger(outbox: outbox, clock: clock.wall) }

    @Test func aFailedOptionalChannelLeavesTheMessageDelivered() async throws {
        let outbox = engine(email, push)
        push.answer(.rejected(Self.refused))
        let sent = try await messenger(outbox).send(Message(body: "Hi"), to: ada)
        _ = try await outbox.drain()
        // The id alone is enough: the outbox knows which channel is optional.
        let again = SentMessage(entry: sent[0].entry, recipient: "ada")
        let outcome = try await messenger(outbox).outcome(of: again)
        #expect(outcome.isDelivered == true && outcome.delivered == ["email"])
        #expect(outcome.optionalFailures == ["push": Self.refused])
    }

    @Test func aFailedRequiredChannelFailsTheMessage() async throws {
        let outbox = engine(email, push)
        email.answer(.rejected(Self.refused))
        let sent = try await messenger(outbox).send(Message(body: "Hi"), to: ada)
        _ = try await outbox.drain()
        let outcome = try await messenger(outbox).outcome(of: sent[0])
        #expect(outcome.isDelivered == false && outcome.delivered == ["push"])
        #expect(outcome.failures == ["email": Self.refused] && outcome.optionalFailures.isEmpty)
    }

    @Test func anOptionalChannelThatIsMissingIsNotWaitedFor() async throws {
        let outbox = engine(email)
        let sent = try await messenger(outbox).send(Message(body: "Hi"), to: ada)
        _ = try await outbox.drain()
        let outcome = try await messenger(outbox).outcome(of: sent[0])
        #expect(outcome.isDelivered == true && outcome.failures.isEmpty)
    }

    @Test func requiredChannelsAloneAreWaitedFor() async throws {
        let outbox = AskedOutbox(RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall))
        let messenger = messenger(outbox)
        let sent = try await messenger.send(Message(body: "Hi"), to: ada)
        _ = try await messenger.outcome(of: sent[0])
        _ = try await messenger.outcome(of: sent[0], waitsForOptional: true)
        #expect(outbox.asked.withLock { $0 } == [["email"], nil])
    }

    @Test func anOptionalChannelIsWaitedForOnDemand() async throws {
        let outbox = engine(email)
        let messenger = messenger(outbox)
        let sent = try await messenger.send(Message(body: "Hi"), to: ada)
        _ = try await outbox.drain()
        async let outcome = messenger.outcome(of: sent[0], waitsForOptional: true)
        push.answer(.rejected(Self.refused))
        outbox.register(ChannelDestination(push, timer: clock))
        _ = try await outbox.drain()
        #expect(try await outcome.optionalFailures == ["push": Self.refused])
    }

    @Test func anOptionalChannelWithoutAnAddressIsPassedOver() async throws {
        let outbox = RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall)
        var recipient = ada
        recipient.addresses["push"] = nil
        try await messenger(outbox).send(Message(body: "Hi"), to: recipient)
        #expect(outbox.entries.map(\.targets) == [.all("email")])
    }

    @Test func aRequiredChannelNeedsAnAddress() async throws {
        let outbox = RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall)
        var recipient = ada
        recipient.addresses["email"] = nil
        let error = await #expect(throws: MessagingError.self) {
            try await messenger(outbox).send(Message(body: "Hi"), to: recipient)
        }
        #expect(error?.code == .noAddress && error?.message.contains("(email), only for push") == true)
        recipient.optional = ["email", "push"]
        await #expect(throws: MessagingError.self) {
            try await messenger(outbox).send(Message(body: "Hi"), to: recipient)
        }
        #expect(outbox.entries.isEmpty)
    }

    @Test func aMessageWithoutOptionalChannelsKeepsItsBytes() async throws {
        let outbox = RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall)
        var recipient = ada
        recipient.optional = []
        try await messenger(outbox).send(Message(body: "Hi"), to: ada, recipient)
        let payloads = outbox.entries.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(payloads[0].contains(#""optional":["push"]"#) && !payloads[1].contains("optional"))
    }

    @Test func aFallbackOfARequiredChannelIsRequired() async throws {
        // The email of the preference makes the way required. It has no address, so push has to
        // deliver.
        let outbox = engine(push)
        var recipient = ada
        recipient.preference = .first(of: "push", "email")
        recipient.addresses["email"] = nil
        push.answer(.rejected(Self.refused))
        let sent = try await messenger(outbox).send(Message(body: "Hi"), to: recipient)
        _ = try await outbox.drain()
        #expect(try await messenger(outbox).outcome(of: sent[0]).isDelivered == false)
    }

    /// States by the first letters of channels: "a+ b- c?" are delivered, discarded and waiting.
    private static func states(_ text: String) -> [String: State] {
        var states: [String: State] = [:]
        for word in text.split(separator: " ") {
            let state: State = word.hasSuffix("+") ? .delivered : word.hasSuffix("-") ? .discarded : .waiting
            states["\(word.dropLast())"] = state
        }
        return states
    }

    private func isDelivered(_ targets: [OutboxEntry.Target], _ states: String, optional: Set<String> = []) -> Bool? {
        MessageOutcome(Self.sent, channels: Self.states(states), targets: targets, optional: optional).isDelivered
    }

    @Test func eachRequiredChannelHasToDeliver() {
        #expect(isDelivered(.all("a", "b"), "a+ b+") == true)
        #expect(isDelivered(.all("a", "b"), "a+ b-") == false)
        #expect(isDelivered(.all("a", "b"), "a+ b-", optional: ["b"]) == true)
        #expect(isDelivered(.all("a", "b"), "a+ b?", optional: ["b"]) == true)
        #expect(isDelivered(.all("a", "b"), "a? b+", optional: ["b"]) == false)
    }

    @Test func oneChannelOfAWayIsEnough() {
        #expect(isDelivered(.first(of: "a", "b"), "a- b+") == true)
        #expect(isDelivered(.escalating(from: "a", to: "b", after: .seconds(1)), "a+ b-") == true)
        #expect(isDelivered(.first(of: "a", "b"), "a- b-") == false)
        let two: [OutboxEntry.Target] = .first(of: "a", "b") + .first(of: "c", "d")
        #expect(isDelivered(two, "a- b+ c- d-") == false)
        #expect(isDelivered(two, "a- b+ c- d-", optional: ["c", "d"]) == true)
    }

    @Test func aWayIsOptionalIfAllItsChannelsAre() {
        #expect(isDelivered(.first(of: "a", "b"), "a- b-", optional: ["a"]) == false)
        #expect(isDelivered(.first(of: "a", "b"), "a- b-", optional: ["b"]) == false)
        let circle: [OutboxEntry.Target] = [.init("a", .afterFailure(of: "b")), .init("b", .afterFailure(of: "a"))]
        #expect(isDelivered(circle, "a- b+") == true)
    }

    @Test func aMessageThatIsGoneHasNoVerdict() {
        #expect(MessageOutcome(Self.sent, channels: nil).isDelivered == nil)
    }

    @Test func channelsWithoutTargetsStandAlone() {
        let outcome = MessageOutcome(Self.sent, channels: ["a": .delivered, "b": .discarded])
        #expect(outcome.isDelivered == false)
    }
}

/// Keeps the destinations that it was asked to wait for; nil for all.
private final class AskedOutbox: Outbox {
    let asked = Mutex<[Set<String>?]>([])
    private let base: RecordingOutbox

    init(_ base: RecordingOutbox) { self.base = base }

    var store: any WriteStore { base.store }
    var account: Account? { base.account }

    func newID() -> OutboxEntry.ID { base.newID() }

    func enqueue(_ entries: [OutboxEntry], changing entities: [EntityChange]) async throws(StoreError) -> CommitResult {
        try await base.enqueue(entries, changing: entities)
    }

    func outcome(of entry: OutboxEntry.ID) async throws(StoreError) -> [String: OutboxRecord.State]? {
        asked.withLock { $0.append(nil) }
        return try await base.outcome(of: entry)
    }

    func outcome(
        of entry: OutboxEntry.ID, settling destinations: Set<String>
    ) async throws(StoreError) -> [String: OutboxRecord.State]? {
        asked.withLock { $0.append(destinations) }
        return try await base.outcome(of: entry)
    }

    func register(_ destination: any Destination) { base.register(destination) }

    func drain(within limit: Duration?) async throws(StoreError) -> DrainReport { try await base.drain(within: limit) }
}
