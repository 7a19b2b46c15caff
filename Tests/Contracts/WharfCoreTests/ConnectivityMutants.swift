import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws

enum ConnectivityMutants {
    static let all: [LawMutant<ConnectivityLaws.Subject>] = [
        mutant(.isOfflineUntilItHears, breaks: afterAsking),
        mutant(.takesTheAskedForInformed, breaks: afterAsking),
        mutant(.keepsNoStateForNobody, breaks: "isOnline shows the last change"),
        mutant(.joinsTurns, breaks: inOrder),
        mutant(.tellsOfThePast, breaks: inOrder),
        mutant(
            .tellsBeforeItIsSo,
            breaks: "a reader that subscribes during a change sees or hears the last one"),
        mutant(
            .letsTurnsOvertake,
            breaks: "after concurrent changes isOnline shows the one that a reader hears last"),
        mutant(.tellsNobodyOnceOneLeft, breaks: leaving),
        mutant(.keepsWhoHasLeft, breaks: leaving),
    ]

    private static func mutant(
        _ fault: WrongConnectivity.Fault, breaks law: String
    ) -> LawMutant<ConnectivityLaws.Subject> {
        .init(
            breaks: law,
            .init("\(fault)") {
                let network = WrongConnectivity(fault)
                return .init(network, turn: { await network.turn(online: $0) }, readers: { network.readers })
            })
    }

    private static let afterAsking = "a reader that subscribes before it asks hears the next change"
    private static let inOrder = "each reader hears every change, in order"
    private static let leaving = "a reader that leaves hears nothing more, and the others still do"
}

/// A connectivity with one defect.
private final class WrongConnectivity: Connectivity {
    enum Fault: Sendable {
        case isOfflineUntilItHears, takesTheAskedForInformed, keepsNoStateForNobody, joinsTurns, tellsOfThePast
        case tellsBeforeItIsSo, letsTurnsOvertake, tellsNobodyOnceOneLeft, keepsWhoHasLeft
    }

    fileprivate struct State {
        var isOnline = true
        var readers: [Int: AsyncStream<Bool>.Continuation] = [:]
        var joined = 0
        var asked = 0
        var begun = 0
        var reported: [Bool] = []
    }

    private let fault: Fault
    private let state = Mutex(State())

    init(_ fault: Fault) { self.fault = fault }

    var isOnline: Bool {
        state.withLock { state in
            state.asked += 1
            return fault == .isOfflineUntilItHears && state.reported.isEmpty ? false : state.isOnline
        }
    }

    var readers: Int { state.withLock { $0.readers.count } }

    func turn(online isOnline: Bool) async {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        switch fault {
        case .tellsBeforeItIsSo where readers == 0:
            // A reader that has asked since then got the old state, and came too late for the new
            // one.
            let asked = state.withLock { $0.asked }
            await letOthersRun { state.withLock { $0.asked > asked } }
            state.withLock { $0.isOnline = isOnline }
        case .letsTurnsOvertake where readers > 0:
            state.withLock { $0.isOnline = isOnline }
            // The first of eight notifies last.
            if number == 1 { await letOthersRun { state.withLock { $0.reported.count == 7 } } }
            tell(isOnline)
        case .keepsNoStateForNobody where readers == 0:
            tell(isOnline)
        case .takesTheAskedForInformed where !isOnline && state.withLock({ $0.asked > 0 }):
            state.withLock { $0.isOnline = isOnline }
        default:
            state.withLock { state in
                state.isOnline = isOnline
                state.tell(isOnline)
            }
        }
    }

    private func tell(_ isOnline: Bool) { state.withLock { $0.tell(isOnline) } }

    func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Bool.self, bufferingPolicy: fault == .joinsTurns ? .bufferingNewest(1) : .unbounded)
        let (id, past) = state.withLock { state in
            state.joined += 1
            state.readers[state.joined] = continuation
            return (state.joined, state.reported)
        }
        if fault == .tellsOfThePast { for isOnline in past { continuation.yield(isOnline) } }
        continuation.onTermination = { [weak self] _ in self?.leave(id) }
        return stream
    }

    /// Does not wait for the lock, as no correct implementation may: see `ConnectivityChanges`.
    private func leave(_ id: Int) {
        let gone = state.withLockIfAvailable { state -> [AsyncStream<Bool>.Continuation] in
            switch fault {
            case .keepsWhoHasLeft: return []
            case .tellsNobodyOnceOneLeft:
                defer { state.readers = [:] }
                return Array(state.readers.values)
            default: return [state.readers.removeValue(forKey: id)].compactMap(\.self)
            }
        }
        if gone == nil { Task.detached { self.leave(id) } }
        // Released outside the lock, as the termination of each continuation takes the lock.
        withExtendedLifetime(gone) {}
    }
}

extension WrongConnectivity.State {
    fileprivate mutating func tell(_ isOnline: Bool) {
        reported.append(isOnline)
        for reader in readers.values { reader.yield(isOnline) }
    }
}
