#if KillHarness && TestServer
import Foundation
import GRDB
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfKillHarness
import WharfRandom
import WharfTestServer

/// Two receivers on the loopback interface, the data file from which processes deliver, and the
/// ledger of all events between them.
final class KillScenario: Sendable {
    private struct State {
        var ledger = Ledger()
        /// Draws the conditions of receivers, or nil if they are calm.
        var random: SeededGenerator?
        var busy: Set<String> = []
        var processes = 0
        var rounds = 0

        mutating func condition(of destination: String) -> Condition {
            if busy.contains(destination) { return .busy }
            switch random?.next(upperBound: 16 as UInt64) {
            case 0: return .busy
            case 1: return .lost
            default: return .calm
            }
        }
    }

    private enum Condition: Sendable {
        case calm
        /// Has no effect, and answers 503.
        case busy
        /// Has its effect, but the answer is lost: a gateway sends its own.
        case lost
    }

    private let folder: TemporaryFolder
    /// The URL alone, as the server's routes hold this object.
    private let origin: String
    private let receivers: [String: ReferenceReceiver]
    private let state: Mutex<State>
    /// Requests wait here before they have an effect.
    let gate = Gate()

    /// - Parameter seed: the seed of the receivers' conditions, or nil for calm receivers.
    private init(_ server: TestServer, seed: UInt64?) throws {
        origin = "\(server.baseURL)"
        folder = try TemporaryFolder()
        state = Mutex(State(random: seed.map { SeededGenerator(seed: $0) }))
        receivers = ["api": try ReferenceReceiver(DatabaseQueue()), "mirror": try ReferenceReceiver(DatabaseQueue())]
    }

    static func run(seed: UInt64? = nil, _ body: (KillScenario) async throws -> Void) async throws {
        try await TestServer.run { server in
            let scenario = try KillScenario(server, seed: seed)
            server.route(.post, "/api/notes") { await scenario.answer($0, at: "api") }
            server.route(.post, "/mirror/batches") { await scenario.answer($0, at: "mirror") }
            try await body(scenario)
        }
    }

    var ledger: Ledger { state.withLock { $0.ledger } }

    /// Makes the receivers with these names answer 503.
    func busy(_ names: String...) { state.withLock { $0.busy = Set(names) } }

    // MARK: Processes

    /// Begins a round. The processes that are started in one round run at the same time.
    func nextRound() { state.withLock { $0.rounds += 1 } }

    func process(
        _ mode: String = "deliver", _ arguments: String..., killing moment: KillHarness.KillPoint = .never
    ) async throws -> KillHarness.Run {
        let (process, round) = state.withLock { state in
            state.processes += 1
            state.ledger.starts(state.processes, round: state.rounds)
            return (state.processes, state.rounds)
        }
        let given = [
            mode, "file=\(folder["data.sqlite"])", "origin=\(origin)", "process=\(process)", "round=\(round)",
        ]
        let harness = KillHarness(
            executable: try builtExecutable(named: "OutboxProbe"), arguments: given + arguments)
        let run = try await harness.run(killing: moment)
        state.withLock { $0.ledger.ends(process, saying: run.lines, killed: run.wasKilled) }
        #expect(run.wasKilled || run.exitCode == 0 && run.lines.last == "ended", "\(moment): \(run.standardError)")
        return run
    }

    /// Lets one more process deliver the rest to calm receivers.
    ///
    /// - Returns: the broken promises.
    func violations() async throws -> [String] {
        gate.open()
        state.withLock { ($0.random, $0.busy) = (nil, []) }
        nextRound()
        let run = try await process("deliver", "ends=empty")
        let rows = run.lines.filter { $0.hasPrefix("row ") }.compactMap { Ledger.Entry($0.dropFirst(4)) }
        return ledger.violations(rows: rows)
    }

    // MARK: Receivers

    private func answer(_ request: TestRequest, at destination: String) async -> TestResponse {
        let asked = Self.entries(of: request)
        guard let sender = HTTPField.Name("Sender").flatMap({ request.fields[$0] }).flatMap({ Int($0) }),
            let receiver = receivers[destination], !asked.isEmpty
        else { return .status(.badRequest) }
        let (number, condition) = state.withLock { state in
            (state.ledger.arrives(asked.map(\.entry), at: destination, from: sender), state.condition(of: destination))
        }
        // An entry that should not arrive at all is not held, as no test opens the gate for it.
        if ledger.faults.isEmpty { await gate.pass() }
        var isTaken = true
        do {
            for (key, entry) in condition == .busy ? [] : asked {
                isTaken = try receive(entry, key: key, by: receiver, at: destination) && isTaken
            }
        } catch {
            Issue.record("the receiver \(destination) failed: \(error)")
        }
        state.withLock { $0.ledger.leaves(number, isGood: condition == .calm) }
        switch condition {
        case .calm: return .status(isTaken ? .noContent : .unprocessableContent)
        case .busy: return .status(.serviceUnavailable)
        case .lost: return .status(.badGateway)
        }
    }

    private func receive(
        _ entry: Ledger.Entry, key: String, by receiver: ReferenceReceiver, at destination: String
    ) throws -> Bool {
        let answer = try receiver.receive(
            Data(entry.description.utf8), key: key, account: "nobody", at: Date(timeIntervalSince1970: 0)
        ) { _ in
            state.withLock { $0.ledger.has(entry, effectAt: destination) }
            return "taken"
        }
        if answer == .keyTaken { state.withLock { $0.ledger.refuses(entry, at: destination) } }
        return answer != .keyTaken
    }

    /// One entry keyed by the header field, or a batch in which each line begins with its key.
    private static func entries(of request: TestRequest) -> [(key: String, entry: Ledger.Entry)] {
        let field = HTTPField.Name("Idempotency-Key").flatMap { request.fields[$0] } ?? ""
        let lines = request.path.hasSuffix("batches") ? request.text : "\(field.dropFirst().dropLast()) \(request.text)"
        return lines.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let entry = Ledger.Entry(words[1]) else { return nil }
            return (String(words[0]), entry)
        }
    }
}
#endif
