import Synchronization
import Testing
import WharfCore
import WharfTesting

@Suite(.timeLimit(.minutes(2)))
struct ConnectivityLawTests {
    private static let test = ConnectivityLaws.Subject("TestConnectivity") {
        let network = TestConnectivity()
        return .init(network, turn: { network.turn(online: $0) }, readers: { network.readers })
    }

    @Test(arguments: ConnectivityLaws.all)
    func theFakeKeeps(law: Law<ConnectivityLaws.Subject>) async throws {
        try await law.check(Self.test)
    }

    /// A law that nothing can break proves nothing.
    @Test(arguments: CarelessConnectivity.Fault.allCases)
    func lawCatchesTheConformerThatBreaksIt(fault: CarelessConnectivity.Fault) async throws {
        let subject = ConnectivityLaws.Subject("\(fault)") {
            let network = CarelessConnectivity(fault)
            return .init(network, turn: { await network.turn(online: $0) }, readers: { network.readers })
        }
        var broken: [String] = []
        for law in ConnectivityLaws.all {
            do {
                try await law.check(subject)
            } catch let violation as LawViolation {
                broken.append(violation.law)
            }
        }
        #expect(broken.contains { $0.contains(fault.rawValue) }, "broken were \(broken)")
    }

    /// Who leaves and who tells take two locks in opposite orders.
    @Test func leavingInTheMidstOfTurnsHoldsNobodyUp() async {
        let network = TestConnectivity()
        let teller = Task {
            while !Task.isCancelled {
                network.turn(online: false)
                await Task.yield()
            }
        }
        for _ in 0..<200 {
            let readers = (0..<64).map { _ in
                Task { [changes = network.changes()] in
                    for await _ in changes {}
                }
            }
            for _ in 0..<20 { await Task.yield() }
            for reader in readers { reader.cancel() }
            for reader in readers { await reader.value }
        }
        teller.cancel()
        await teller.value
        while network.readers > 0 { await Task.yield() }
    }

    @Test func sequencesEndWhenNobodyWillTellOfTurns() async {
        let turns = ConnectivityTurns(isOnline: true)
        let (early, other) = (turns.changes(), turns.changes())
        turns.tell(online: false)
        turns.finish()
        for changes in [early, other] {
            var heard: [Bool] = []
            for await isOnline in changes { heard.append(isOnline) }
            #expect(heard == [false])
        }
        for await isOnline in turns.changes() { Issue.record("who came after the end heard \(isOnline)") }
        #expect(turns.readers == 0)
    }
}

/// A connectivity that is wrong in one way.
final class CarelessConnectivity: Connectivity {
    /// With the words of the law that must notice.
    enum Fault: String, CaseIterable {
        case subscribesWhenRead = "subscribes first and asks"
        case keepsTheOldState = "a question sees the last turn"
        case joinsTurns = "hears every turn"
        case tellsTheLastReaderOnly = "each reader hears"
        case tellsNobodyElseOnceOneLeft = "and the others are"
        case letsTurnsOvertake = "the one heard last"
        case keepsWhoHasLeft = "who leaves is told nothing more"
    }

    private struct State {
        var isOnline = true
        var readers: [Int: AsyncStream<Bool>.Continuation] = [:]
        var last = 0
        var turns = 0
    }

    private let fault: Fault
    private let state = Mutex(State())

    init(_ fault: Fault) { self.fault = fault }

    var isOnline: Bool { state.withLock { $0.isOnline } }
    var readers: Int { state.withLock { $0.readers.count } }

    func turn(online isOnline: Bool) async {
        let number = state.withLock { state in
            if fault != .keepsTheOldState { state.isOnline = isOnline }
            state.turns += 1
            return state.turns
        }
        // The first of them tells last.
        if fault == .letsTurnsOvertake { for _ in 0..<(10 * max(0, 9 - number)) { await Task.yield() } }
        state.withLock { state in
            for (id, reader) in state.readers where fault != .tellsTheLastReaderOnly || id == state.last {
                reader.yield(isOnline)
            }
        }
    }

    func changes() -> AsyncStream<Bool> {
        if fault == .subscribesWhenRead {
            let first = Mutex<AsyncStream<Bool>?>(nil)
            return AsyncStream { [self] in
                let stream = first.withLock { first in
                    if first == nil { first = subscribe() }
                    return first
                }
                var reader = stream?.makeAsyncIterator()
                return await reader?.next()
            }
        }
        return subscribe()
    }

    private func subscribe() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Bool.self, bufferingPolicy: fault == .joinsTurns ? .bufferingNewest(1) : .unbounded)
        let id = state.withLock { state in
            state.last += 1
            state.readers[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in
            guard let self, fault != .keepsWhoHasLeft else { return }
            state.withLock { state in
                if fault == .tellsNobodyElseOnceOneLeft { state.readers = [:] } else { state.readers[id] = nil }
            }
        }
        return stream
    }
}
