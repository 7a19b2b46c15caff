import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes

enum DestinationsUnderLaws {
    static let all: [DestinationLaws.Subject] = [
        .init("RecordingDestination") {
            let depot = Depot()
            let destination = RecordingDestination(
                "depot", kinds: [Depot.kind.name], answer: { entry, _ in Delivery(await depot.take(entry)) },
                rewriting: { payload, ids in IDReplacement.replacing(ids, in: payload) })
            return .init(destination, at: depot.receiver())
        },
        .init("RecordingBatchDestination") {
            let (destination, depot) = recording()
            return .init(destination, at: depot.receiver(namesIDs: false))
        },
    ]

    static let batching: [BatchDestinationLaws.Subject] = [
        .init("RecordingBatchDestination") {
            let (destination, depot) = recording()
            return .init(destination, at: depot.receiver(), large: { [UInt8](repeating: 0x61, count: $0) })
        }
    ]

    private static func recording() -> (RecordingBatchDestination, Depot) {
        let depot = Depot()
        let destination = RecordingBatchDestination(
            "depot", kinds: [Depot.kind.name], limits: BatchLimits(entries: 30, bytes: 1_000)
        ) { batch in
            var deliveries: [Delivery] = []
            for entry in batch { deliveries.append(Delivery(await depot.take(entry))) }
            return deliveries
        }
        return (destination, depot)
    }
}
