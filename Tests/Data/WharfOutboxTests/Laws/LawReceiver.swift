import Synchronization
import WharfCore
import WharfCoreLaws
import WharfFakes

/// A receiver of batches in the condition set by a law.
final class LawReceiver: Sendable {
    static let kind = OutboxEntry.Kind("batch")
    static let unreadable: [UInt8] = [0xFF]
    static let credential = "tok-5f3a"

    private struct State {
        var condition = DestinationLaws.Condition.working
        var batches: [DestinationLaws.Arrival] = []
    }

    private let state = Mutex(State())

    var batches: [DestinationLaws.Arrival] { state.withLock { $0.batches } }

    func set(_ condition: DestinationLaws.Condition) { state.withLock { $0.condition = condition } }

    func keep(_ entry: OutboxEntry) {
        state.withLock { $0.batches.append(.init(key: entry.key.text, bytes: entry.payload)) }
    }

    /// The verdict in the current condition, without a record of the batch.
    func verdict(on entry: OutboxEntry) async -> Delivery.Verdict {
        switch state.withLock({ $0.condition }) {
        case .working:
            entry.payload == Self.unreadable
                ? .rejected(DeliveryFailure(.unreadable, message: "expected text, found 0xFF")) : .delivered
        case .busy: .retry(DeliveryFailure(.unavailable, message: "the depot is full; it is tried again"))
        case .refusing: .rejected(DeliveryFailure(.rejected, message: "the depot takes nothing from here"))
        case .silent: await cancelled()
        }
    }

    func take(_ entry: OutboxEntry) async -> Delivery.Verdict {
        let verdict = await verdict(on: entry)
        if verdict == .delivered { keep(entry) }
        return verdict
    }

    /// - Parameter namesIDs: whether payloads can contain temporary ids.
    func receiver(namesIDs: Bool = true) -> DestinationLaws.Receiver {
        var receiver = DestinationLaws.Receiver(
            kind: Self.kind, payload: { Array("batch \($0)".utf8) }, arrivals: { self.batches },
            set: { self.set($0) })
        receiver.unreadable = Self.unreadable
        if namesIDs { receiver.naming = { ids in Array(ids.joined(separator: ", ").utf8) } }
        receiver.secrets = [Self.credential]
        return receiver
    }

    private func cancelled() async -> Delivery.Verdict {
        await Gate().pass()
        return .retry(DeliveryFailure(.noAnswer, message: "cancelled"))
    }
}
