import Synchronization
import WharfChecks
import WharfCore
import WharfMessaging
import WharfMessagingFakes
import WharfMessagingLaws

enum ChannelMutants {
    static let all: [LawMutant<ChannelLaws.Subject>] = [
        mutant(.hasNoName, breaks: "a channel has a name, the same for each instance"),
        mutant(.hasANameEachTime, breaks: "a channel has a name, the same for each instance"),
        mutant(.rejectsLunch, breaks: "a plain message is delivered"),
        mutant(.losesSpaces, breaks: text),
        mutant(.losesTitles, breaks: text),
        mutant(.sendsTheEmptyTwice, breaks: text),
        mutant(.sendsWhatItRejects, breaks: text),
        mutant(.sendsElsewhere, breaks: text),
        mutant(.cutsOffTheLast, breaks: "a body as long as its limit arrives as it was"),
        mutant(.refusesTheLongest, breaks: "a body as long as its limit arrives as it was"),
        mutant(.countsAttempts, breaks: "the same part is the same on each attempt"),
        mutant(.takesAKeyForEachAttempt, breaks: "the same part is the same on each attempt"),
        mutant(.hasOneKey, breaks: "each part has a key of its own, or none has one"),
        mutant(.lowersKeys, breaks: "each part has a key of its own, or none has one"),
        mutant(.deliversToTheBusy, breaks: busy),
        mutant(.rejectsWhenBusy, breaks: busy),
        mutant(.remembersTheBusy, breaks: busy),
        mutant(.retriesForEver, breaks: "a part that the receiver refuses for good is rejected, and does not arrive"),
        mutant(.mixesParts, breaks: "parts on their way at the same time arrive each by itself"),
    ]

    private static let text =
        "any text arrives once and as it was, at its address, or it is rejected and does not arrive"
    private static let busy = "a part for a busy receiver is retried, and arrives when the receiver works"

    private static func mutant(_ fault: WrongChannel.Fault, breaks law: String) -> LawMutant<ChannelLaws.Subject> {
        .init(
            breaks: law,
            .init("\(fault)") {
                let channel = WrongChannel(fault)
                return channel.base.underLaws(channel)
            })
    }
}

/// A channel with one defect.
final class WrongChannel: MessageChannel {
    enum Fault: Sendable {
        case hasNoName, hasANameEachTime, rejectsLunch, losesSpaces, losesTitles, sendsTheEmptyTwice, sendsWhatItRejects
        case sendsElsewhere, cutsOffTheLast, refusesTheLongest, countsAttempts, takesAKeyForEachAttempt, hasOneKey
        case lowersKeys, deliversToTheBusy, rejectsWhenBusy, remembersTheBusy, retriesForEver, mixesParts
    }

    private struct State {
        var attempts: [IdempotencyKey: Int] = [:]
        var current: MessagePart?
        var wasBusy = false
    }

    let name: String
    let limits = ChannelLimits(body: TextLimit(300, .scalars))
    let base: RecordingChannel
    private let fault: Fault
    private let state = Mutex(State())
    private static let made = Atomic(0)

    init(_ fault: Fault) {
        self.fault = fault
        switch fault {
        case .hasNoName: name = ""
        case .hasANameEachTime: name = "wrong \(Self.made.add(1, ordering: .relaxed).newValue)"
        default: name = "wrong"
        }
        base = RecordingChannel(name, limits: limits)
    }

    func deliver(_ part: MessagePart) async -> Delivery.Verdict {
        let never = Delivery.Verdict.rejected(DeliveryFailure(.rejected, message: "never"))
        let (attempt, wasBusy) = state.withLock { state in
            state.attempts[part.key, default: 0] += 1
            return (state.attempts[part.key] ?? 1, state.wasBusy)
        }
        var part = part
        switch fault {
        case .rejectsLunch where part.name == "Ada Lovelace": return never
        case .losesSpaces: part.body = String(part.body.filter { $0 != " " || part.body == "At noon?" })
        case .losesTitles where part.title.utf8.count > 3 && part.title != "Lunch": part.title = ""
        case .sendsTheEmptyTwice where part.body.isEmpty: _ = await base.deliver(part)
        case .sendsWhatItRejects where part.title.contains("\n"):
            _ = await base.deliver(part)
            return never
        case .sendsElsewhere where !part.name.isEmpty: part.address = part.name
        case .cutsOffTheLast where part.body.count == 300: part.body.removeLast()
        case .refusesTheLongest where part.body.count == 300: return never
        case .countsAttempts where attempt > 1 && !wasBusy: part.body += " (again)"
        case .takesAKeyForEachAttempt where attempt > 1: part.key = IdempotencyKey("\(part.key.text)\(attempt)")
        case .hasOneKey: part.key = IdempotencyKey("key")
        case .lowersKeys: part.key = IdempotencyKey(part.key.text.lowercased())
        case .remembersTheBusy where wasBusy: return .retry(DeliveryFailure(.unavailable, message: "still"))
        case .mixesParts:
            state.withLock { $0.current = part }
            await letOthersRun(chances: 20) { false }
            part = state.withLock { $0.current } ?? part
        default: break
        }
        let verdict = await base.deliver(part)
        if case .retry = verdict { state.withLock { $0.wasBusy = true } }
        switch (fault, verdict) {
        case (.deliversToTheBusy, .retry): return .delivered
        case (.rejectsWhenBusy, .retry): return never
        case (.retriesForEver, .rejected): return .retry(DeliveryFailure(.unavailable, message: "later"))
        default: return verdict
        }
    }
}
