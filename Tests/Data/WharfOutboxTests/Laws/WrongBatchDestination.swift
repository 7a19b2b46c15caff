import Synchronization
import WharfCore
import WharfCoreLaws
import WharfFakes

/// A batch destination with one defect.
struct WrongBatchDestination: BatchDestination {
    enum Fault: Sendable {
        case hasNoLimit, hasLimitsEachTime
        case forgetsAnAnswer, reversesBatches, repeatsTheFirst
        case retriesOneAlone, deliversTheRestToTheBusy, keepsTheRestWhenBusy
        case rejectsNeighbours, rejectsTheNext, keepsTheUnreadable
        case retriesTheLarge, cutsTheLarge
    }

    let name = "wrong"
    let kinds: Set<String> = [LawReceiver.kind.name]
    let limits: BatchLimits
    let receiver = LawReceiver()
    private let fault: Fault
    private static let made = Atomic(0)

    init(_ fault: Fault) {
        self.fault = fault
        var limits = BatchLimits(entries: 30, bytes: 1_000)
        if fault == .hasNoLimit { limits.bytes = 0 }
        if fault == .hasLimitsEachTime { limits.bytes += Self.made.add(1, ordering: .relaxed).newValue }
        self.limits = limits
    }

    func deliver(_ entry: OutboxEntry) async -> Delivery {
        fault == .retriesOneAlone ? Delivery(.retry(.later)) : await deliver([entry])[0]
    }

    func deliver(_ batch: [OutboxEntry]) async -> [Delivery] {
        let isFull = batch.count == 20
        let isLarge = batch[0].payload.count > 1_000
        if fault == .retriesTheLarge, isLarge { return [Delivery(.retry(.later))] }
        var batch = batch
        if fault == .reversesBatches, isFull { batch.reverse() }
        if fault == .cutsTheLarge, isLarge { batch[0].payload.removeLast() }
        if fault == .repeatsTheFirst, isFull { receiver.keep(batch[0]) }
        var verdicts: [Delivery.Verdict] = []
        for entry in batch { verdicts.append(await receiver.take(entry)) }
        return changed(verdicts, on: batch).map { Delivery($0) }
    }

    private func changed(_ verdicts: [Delivery.Verdict], on batch: [OutboxEntry]) -> [Delivery.Verdict] {
        let bad = batch.firstIndex { $0.payload == LawReceiver.unreadable }
        let isBusy = verdicts[0].failure?.code == .unavailable
        switch fault {
        case .forgetsAnAnswer where batch.count == 20: return verdicts.dropLast()
        case .deliversTheRestToTheBusy where isBusy:
            return verdicts.indices.map { $0 == 0 ? verdicts[0] : .delivered }
        case .keepsTheRestWhenBusy where isBusy:
            batch.dropFirst().forEach(receiver.keep)
            return verdicts
        case .rejectsNeighbours where bad != nil: return verdicts.map { _ in .rejected(.later) }
        case .rejectsTheNext where bad != nil: return Array(verdicts.suffix(1) + verdicts.dropLast())
        case .keepsTheUnreadable where bad != nil:
            batch.filter { $0.payload == LawReceiver.unreadable }.forEach(receiver.keep)
            return verdicts
        default: return verdicts
        }
    }
}

extension WrongBatchDestination {
    var underLaws: BatchDestinationLaws.Instance {
        .init(self, at: receiver.receiver(), large: { [UInt8](repeating: 0x61, count: $0) })
    }
}
