import Testing
import WharfChecks
import WharfCore
import WharfStores

@testable import WharfMessaging

@Suite struct RecipientTests {
    private typealias Targets = [OutboxEntry.Target]

    private func reachable(_ preference: [OutboxEntry.Target], by channels: String...) -> [OutboxEntry.Target] {
        let addresses = Dictionary(uniqueKeysWithValues: channels.map { ($0, "@\($0)") })
        return Recipient(id: "1", addresses: addresses, preference: preference).reachable
    }

    @Test func recipientWithAllAddressesKeepsThePreference() {
        let preference = Targets.first(of: "push", "email", "sms")
        #expect(reachable(preference, by: "email", "push", "sms", "fax") == preference)
    }

    @Test func aFallbackOfAChannelWithoutAnAddressTakesItsPlace() {
        let preference = Targets.first(of: "push", "email", "sms")
        #expect(reachable(preference, by: "email", "sms") == .first(of: "email", "sms"))
        #expect(reachable(preference, by: "push", "sms") == .first(of: "push", "sms"))
        #expect(reachable(preference, by: "sms") == .all("sms"))
        #expect(reachable(preference).isEmpty)
    }

    @Test func anEscalationOfAChannelWithoutAnAddressDoesNotWait() {
        let preference = Targets.escalating(from: "push", to: "sms", after: .seconds(300))
        #expect(reachable(preference, by: "sms") == .all("sms"))
        #expect(reachable(preference, by: "push") == .all("push"))
        #expect(reachable(preference, by: "push", "sms") == preference)
    }

    @Test func channelNamedTwiceIsUsedOnce() {
        #expect(reachable(.all("email", "sms", "email"), by: "email", "sms") == .all("email", "sms"))
    }

    @Test func cycleOfUnreachableChannelsIsRemoved() {
        let circle: [OutboxEntry.Target] = [
            .init("a", .afterFailure(of: "b")), .init("b", .afterFailure(of: "a")), .init("c", .afterFailure(of: "a")),
        ]
        #expect(reachable(circle, by: "c") == .all("c"))
    }

    @Test func cycleOfReachableChannelsStartsWithItsFirst() {
        let circle: Targets = [
            .init("c", .afterFailure(of: "a")), .init("a", .afterFailure(of: "b")), .init("b", .afterFailure(of: "a")),
        ]
        let broken: Targets = [circle[0], .init("a"), circle[2]]
        #expect(reachable(circle, by: "a", "b", "c") == broken)
        #expect(reachable(circle, by: "b", "c") == [.init("c", .afterFailure(of: "b")), .init("b")])
        #expect(reachable([.init("a", .afterFailure(of: "a"))], by: "a") == .all("a"))
    }

    @Test func anyPreferenceGivesEachChannelItsTurn() async throws {
        let names = ["a", "b", "c", "d"]
        let inputs: Generator<([(Int, Int)], Int)> = .zip(
            .array(of: .zip(.int(in: 0...3), .int(in: 0...4)), count: 1...6), .int(in: 1...15))
        try await forAll(inputs, runs: 500) { pairs, mask in
            let preference = pairs.map { own, other in
                OutboxEntry.Target(names[own], other == 4 ? .always : .afterFailure(of: names[other]))
            }
            let known = names.indices.filter { mask & (1 << $0) != 0 }.map { (names[$0], "@") }
            let recipient = Recipient(
                id: "1", addresses: Dictionary(uniqueKeysWithValues: known), preference: preference)
            let left = recipient.reachable
            // Each channel that gets the message fails, so that all conditions are met in turn.
            var failed: Set<String> = []
            for _ in left {
                for target in left {
                    switch target.condition {
                    case .afterFailure(let other):
                        let isThere = left.contains { $0.destination == other }
                        if !isThere || failed.contains(other) { failed.insert(target.destination) }
                    case .always, .unlessDelivered: failed.insert(target.destination)
                    }
                }
            }
            try require(failed.count == left.count, "\(left)")
        }
    }

    @Test func aMessageIsKeptAndReadAsItWas() async throws {
        let texts = Generator<[(String, String)]>.array(of: .zip(.string(), .string()), count: 0...4)
        let inputs: Generator<(String, String, String, [(String, String)], [(String, String)])> = .zip(
            .string(), .string(), .string(), texts, texts)
        try await forAll(inputs) { title, body, name, attributes, addresses in
            let payload = MessagePayload(
                Message(title: title, body: body, attributes: Dictionary(attributes) { $1 }), name: name,
                addresses: Dictionary(addresses) { $1 })
            let bytes = try payload.encoded()
            let entry = OutboxEntry(
                id: .init("1"), lane: "a", kind: MessagePayload.kind, payload: bytes, targets: [],
                enqueuedAt: .distantPast)
            let read = try MessagePayload(entry)
            try require(read == payload && read.message.body.utf8.elementsEqual(body.utf8), "read \(read)")
            try require(try read.encoded() == bytes, "other bytes")
        }
    }
}
