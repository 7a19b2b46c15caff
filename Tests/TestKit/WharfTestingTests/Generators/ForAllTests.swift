import Synchronization
import Testing

@testable import WharfChecks
@testable import WharfFakes

@Suite struct ForAllTests {
    private struct Odd: Error {}

    @Test func seedOfAFailureReproducesItInOneRun() async throws {
        for seed in 0..<20 as Range<UInt64> {
            let first = try await #require(throws: Counterexample.self) {
                try await forAll(.int(in: 0...1_000_000), seed: seed) { try require($0 < 900_000, "\($0)") }
            }
            let again = try await #require(throws: Counterexample.self) {
                try await forAll(.int(in: 0...1_000_000), seed: first.seed) { try require($0 < 900_000, "\($0)") }
            }
            #expect(again.tried == 1 && again.input == first.input && again.input == "900000")
        }
    }

    /// The environment applies to all names.
    private static var isReplay: Bool { get throws { try Replay().seed != nil || Replay().runs != nil } }

    @Test(.enabled("WHARF_SEED and WHARF_RUNS are not set") { try !isReplay })
    func inputsDependOnTheNameAndAreStable() async throws {
        func inputs(_ name: String) async throws -> [Int] {
            let inputs = Mutex<[Int]>([])
            try await forAll(.int(in: 0...(.max)), runs: 20, name: name) { input in inputs.withLock { $0.append(input) }
            }
            return inputs.withLock { $0 }
        }
        let once = try await inputs("a")
        #expect(once.count == 20)
        #expect(try await inputs("a") == once)
        #expect(try await inputs("b") != once)
    }

    @Test func anyErrorIsAFailureAndIsInTheReport() async throws {
        let failure = try await #require(throws: Counterexample.self) {
            try await forAll(.int(in: 0...99)) { if $0 % 2 == 1 { throw Odd() } }
        }
        #expect(failure.found == "it threw Odd: Odd()" && failure.input == "1")
        // The same holds for an error that only looks like a cancellation.
        let other = try await #require(throws: Counterexample.self) {
            try await forAll(.int(in: 0...99)) { _ in throw CancellationError() }
        }
        #expect(other.tried == 1)
    }

    @Test func aLongInputIsSpreadOverLines() async throws {
        let failure = try await #require(throws: Counterexample.self) {
            try await forAll(.array(of: .string(), count: 12...12)) { _ in throw Odd() }
        }
        #expect(failure.input == "[\"\"" + String(repeating: ", \"\"", count: 11) + "]")
        let wide = try await #require(throws: Counterexample.self) {
            try await forAll(.array(of: .just("0123456789"), count: 9...9)) { _ in throw Odd() }
        }
        #expect(wide.input == "[" + String(repeating: "\n    \"0123456789\"", count: 9) + "\n  ]")
    }

    @Test func cancellationEndsTheRuns() async throws {
        let gate = Gate()
        let tried = Mutex(0)
        let task = Task {
            try await forAll(.bool, runs: 1_000_000) { _ in
                tried.withLock { $0 += 1 }
                if tried.withLock({ $0 }) == 3 { await gate.pass() }
            }
        }
        await gate.arrivals()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(tried.withLock { $0 } == 3)
    }

    @Test func cancellationWhileShrinkingReportsTheFailure() async throws {
        let gate = Gate()
        let tried = Mutex(0)
        let task = Task {
            try await forAll(.int(in: 1_000...2_000)) { _ in
                tried.withLock { $0 += 1 }
                if tried.withLock({ $0 }) == 2 { await gate.pass() }
                throw Odd()
            }
        }
        await gate.arrivals()
        task.cancel()
        let failure = try await #require(throws: Counterexample.self) { try await task.value }
        #expect(failure.shrinks == 0 && tried.withLock { $0 } == 2)
    }

    @Test func aCancelledLawIsNotABrokenOne() async throws {
        let gate = Gate()
        let task = Task {
            try await Law<String>("it waits") { _ in
                await gate.pass()
                try Task.checkCancellation()
            }.check("subject")
        }
        await gate.arrivals()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
