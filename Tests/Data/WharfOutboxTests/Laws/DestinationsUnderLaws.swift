import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes

enum DestinationsUnderLaws {
    static let all: [DestinationLaws.Subject] = [
        .init("RecordingDestination") {
            let receiver = LawReceiver()
            let destination = RecordingDestination(
                "depot", kinds: [LawReceiver.kind.name], answer: { entry, _ in Delivery(await receiver.take(entry)) },
                rewriting: { payload, ids in IDReplacement.replacing(ids, in: payload) })
            return .init(destination, at: receiver.receiver())
        },
        .init("RecordingBatchDestination") {
            let (destination, receiver) = recording()
            return .init(destination, at: receiver.receiver(namesIDs: false))
        },
    ]

    static let batching: [BatchDestinationLaws.Subject] = [
        .init("RecordingBatchDestination") {
            let (destination, receiver) = recording()
            return .init(destination, at: receiver.receiver(), large: { [UInt8](repeating: 0x61, count: $0) })
        }
    ]

    private static func recording() -> (RecordingBatchDestination, LawReceiver) {
        let receiver = LawReceiver()
        let destination = RecordingBatchDestination(
            "depot", kinds: [LawReceiver.kind.name], limits: BatchLimits(entries: 30, bytes: 1_000)
        ) { batch in
            var deliveries: [Delivery] = []
            for entry in batch { deliveries.append(Delivery(await receiver.take(entry))) }
            return deliveries
        }
        return (destination, receiver)
    }
}
