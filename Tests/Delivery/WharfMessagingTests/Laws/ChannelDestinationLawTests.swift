import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfJSON
import WharfMessaging
import WharfMessagingFakes

struct ChannelDestinationLawTests {
    @Test(arguments: DestinationLaws.all)
    func theDestinationKeeps(law: Law<DestinationLaws.Subject>) async throws {
        try await law.check(.init("ChannelDestination") { pigeon() })
    }

    private func pigeon() -> DestinationLaws.Instance {
        let channel = RecordingChannel("pigeon")
        let gate = Gate()
        var receiver = DestinationLaws.Receiver(
            kind: .init("message"), payload: { Self.payload("Lunch \($0)") },
            arrivals: { channel.delivered.map { .init(key: $0.key.text, bytes: Array($0.body.utf8)) } },
            set: { condition in
                channel.hold(at: condition == .silent ? gate : nil)
                switch condition {
                case .working: channel.answer(.delivered)
                case .busy, .silent: channel.answer(.retry(DeliveryFailure(.unavailable, message: "fog")))
                case .refusing: channel.answer(.rejected(DeliveryFailure(.rejected, message: "no roof")))
                }
            })
        receiver.unreadable = [0x7B]
        receiver.read = { payload in
            guard case .string(let body)? = try JSON.decode(JSONValue.self, from: payload)["body"]?.content else {
                return []
            }
            return Array(body.utf8)
        }
        return .init(ChannelDestination(channel), at: receiver)
    }

    private static func payload(_ body: String) -> [UInt8] {
        Array(
            #"{"title":"","body":"\#(body)","attributes":{},"name":"","addresses":{"pigeon":"roof 7"}}"#.utf8)
    }
}
