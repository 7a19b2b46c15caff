import Synchronization
import WharfChecks
import WharfCore
import WharfFakes

/// A destination with one defect.
final class WrongDestination: Destination {
    enum Fault: Sendable {
        case hasNoName, hasANameEachTime, hasNoKinds
        case losesAByte, sendsTwice, retriesTheThird
        case countsAttempts, takesAKeyForEachAttempt, hasOneKey, mixesEntries
        case goesOn, claimsWhatIsCancelled
        case deliversToTheBusy, rejectsWhenBusy, keepsWhenBusy, remembersTheBusy
        case retriesForEver, keepsTheRefused, sendsTheUnreadable, retriesTheUnreadable
        case hasNoMessage, tellsItsCredential
        case rewritesAlways, rewritesOthers, replacesOneID, replacesAgain
    }

    private struct State {
        var current: OutboxEntry?
        var wasBusy = false
    }

    let name: String
    let kinds: Set<String>
    let receiver = LawReceiver()
    private let fault: Fault
    private let state = Mutex(State())
    private static let made = Atomic(0)

    init(_ fault: Fault) {
        self.fault = fault
        kinds = fault == .hasNoKinds ? [] : [LawReceiver.kind.name]
        name =
            switch fault {
            case .hasNoName: ""
            case .hasANameEachTime: "wrong \(Self.made.add(1, ordering: .relaxed).newValue)"
            default: "wrong"
            }
    }

    func deliver(_ entry: OutboxEntry) async -> Delivery { await deliver(entry, attempt: 1) }

    func deliver(_ entry: OutboxEntry, attempt: Int) async -> Delivery {
        var entry = entry
        let isThird = entry.payload == Array("batch 2".utf8)
        switch fault {
        case .losesAByte where isThird: entry.payload.removeLast()
        case .sendsTwice where isThird: receiver.keep(entry)
        case .retriesTheThird where isThird: return Delivery(.retry(.later))
        case .countsAttempts where attempt > 1: entry.payload += Array(" again".utf8)
        case .takesAKeyForEachAttempt: entry.key = IdempotencyKey("\(entry.key.text)-\(attempt)")
        case .hasOneKey: entry.key = IdempotencyKey("key")
        case .sendsTheUnreadable where entry.payload == LawReceiver.unreadable:
            receiver.keep(entry)
            return Delivery(.rejected(.later))
        case .mixesEntries:
            state.withLock { $0.current = entry }
            await letOthersRun(chances: 20)
            entry = state.withLock { $0.current } ?? entry
        default: break
        }
        let verdict = await receiver.take(entry)
        return Delivery(await changed(verdict, on: entry))
    }

    private func changed(_ verdict: Delivery.Verdict, on entry: OutboxEntry) async -> Delivery.Verdict {
        let wasBusy = state.withLock { state in
            defer { if verdict.failure?.code == .unavailable { state.wasBusy = true } }
            return state.wasBusy
        }
        switch (fault, verdict, verdict.failure?.code) {
        case (.goesOn, .retry, .noAnswer?):
            await Task { await Gate().pass() }.value
            return verdict
        case (.claimsWhatIsCancelled, .retry, .noAnswer?), (.deliversToTheBusy, .retry, .unavailable?):
            return .delivered
        case (.rejectsWhenBusy, .retry(let failure, _), .unavailable?): return .rejected(failure)
        case (.keepsWhenBusy, .retry, .unavailable?), (.keepsTheRefused, .rejected, .rejected?):
            receiver.keep(entry)
            return verdict
        case (.remembersTheBusy, .delivered, _) where wasBusy: return .retry(.later)
        case (.retriesForEver, .rejected(let failure), .rejected?),
            (.retriesTheUnreadable, .rejected(let failure), .unreadable?):
            return .retry(failure)
        case (.hasNoMessage, .rejected, .unreadable?): return .rejected(DeliveryFailure(.unreadable, message: ""))
        case (.tellsItsCredential, .retry, _):
            return .retry(DeliveryFailure(.unavailable, message: "\(LawReceiver.credential) is tried again"))
        default: return verdict
        }
    }

    func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8] {
        let found = IDReplacement.replacing(ids, in: payload)
        let least = ids.min { $0.key < $1.key }
        return switch fault {
        case .rewritesAlways where ids.isEmpty: payload + [0x20]
        case .rewritesOthers where ids.count == 1: payload + [0x20]
        case .replacesOneID where ids.count > 1:
            least.map { IDReplacement.replacing([$0.key: $0.value], in: payload) } ?? payload
        case .replacesAgain where ids.count > 1: IDReplacement.replacing(["1": "22"], in: found)
        default: found
        }
    }
}

extension DeliveryFailure {
    static let later = DeliveryFailure(.unavailable, message: "it is tried again")
}
