import Testing
import WharfCore
import WharfStores
import WharfTesting

@testable import WharfMessaging

@Suite struct RecipientTests {
    private typealias Targets = [OutboxEntry.Target]

    private func reachable(_ preference: [OutboxEntry.Target], by channels: String...) -> [OutboxEntry.Target] {
        let addresses = Dictionary(uniqueKeysWithValues: channels.map { ($0, "@\($0)") })
        return Recipient(id: "1", addresses: addresses, preference: preference).reachable
    }

    @Test func whoHasAllAddressesIsReachedAsPreferred() {
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

    @Test func aChannelThatIsNamedTwiceIsToldOnce() {
        #expect(reachable(.all("email", "sms", "email"), by: "email", "sms") == .all("email", "sms"))
    }

    @Test func aCircleOfChannelsWithoutAddressesEnds() {
        let circle: [OutboxEntry.Target] = [
            .init("a", .afterFailure(of: "b")), .init("b", .afterFailure(of: "a")), .init("c", .afterFailure(of: "a")),
        ]
        #expect(reachable(circle, by: "c") == .all("c"))
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
