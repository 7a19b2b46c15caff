import Synchronization
import Testing
import WharfCore
import WharfFakes

@Suite struct SingleFlightTests {
    @Test func callersAtTheSameTimeShareOnePieceOfWork() async throws {
        let flights = SingleFlight<String, Int>()
        let runs = Count()
        let gate = Gate()
        let crowd = CallersOnOneActor()
        let values = try await withThrowingTaskGroup(of: Result<Int, any Error>.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await crowd.call {
                        await result {
                            try await flights.run("key") {
                                await gate.pass()
                                return runs.next()
                            }
                        }
                    }
                }
            }
            await crowd.inside(100)
            #expect(flights.waiting(for: "key") == 100)
            gate.open()
            return try await group.reduce(into: [Int]()) { try $0.append($1.get()) }
        }
        #expect(values == Array(repeating: 1, count: 100))
        #expect(runs.next() == 2)
    }

    @Test func otherKeysAndLaterCallsDoTheirOwnWork() async throws {
        let flights = SingleFlight<String, String>()
        #expect(try await flights.run("a") { "first" } == "first")
        #expect(try await flights.run("a") { "second" } == "second")
        #expect(try await flights.run("b") { "other" } == "other")
    }

    @Test func theLastCallerToLeaveCancelsTheWork() async throws {
        let flights = SingleFlight<String, Int>()
        let gate = Gate()
        let ended = Gate()
        let crowd = CallersOnOneActor()
        let callers = (0..<2).map { _ in
            Task {
                await crowd.call {
                    await result {
                        try await flights.run("key") {
                            await gate.pass()
                            if Task.isCancelled { ended.open() }
                            return 1
                        }
                    }
                }
            }
        }
        await crowd.inside(2)
        await gate.arrivals(1)
        callers[0].cancel()
        await #expect(throws: CancellationError.self) { try await callers[0].value.get() }
        #expect(flights.waiting(for: "key") == 1)
        callers[1].cancel()
        await #expect(throws: CancellationError.self) { try await callers[1].value.get() }
        // Returns only because the work has seen its own cancellation.
        await ended.pass()
    }

    @Test func callAfterAFlightIsClosedStartsAnother() async throws {
        let flights = SingleFlight<String, String>()
        let (closed, gate) = (Gate(), Gate())
        defer { gate.open() }
        let first = Task {
            await result {
                try await flights.run("key") { close in
                    close()
                    closed.open()
                    await gate.pass()
                    return "first"
                }
            }
        }
        await closed.pass()
        #expect(flights.waiting(for: "key") == 0)
        #expect(try await flights.run("key") { "second" } == "second")
        gate.open()
        #expect(try await first.value.get() == "first")
    }

    @Test func lastCallerOfClosedFlightCancelsThatFlightOnly() async throws {
        let flights = SingleFlight<String, Int>()
        let (closed, gate, ended, other) = (Gate(), Gate(), Gate(), Gate())
        defer { for gate in [gate, other] { gate.open() } }
        let first = Task {
            await result {
                try await flights.run("key") { close in
                    close()
                    closed.open()
                    await gate.pass()
                    if Task.isCancelled { ended.open() }
                    return 1
                }
            }
        }
        await closed.pass()
        let second = Task {
            await result {
                try await flights.run("key") {
                    await other.pass()
                    return Task.isCancelled ? 0 : 2
                }
            }
        }
        await other.arrivals()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value.get() }
        await ended.pass()
        other.open()
        #expect(try await second.value.get() == 2)
    }

    @Test func lastPlaceThatIsLeftCancelsTheWork() async throws {
        let flights = SingleFlight<String, Int>()
        let ended = Gate()
        let work = { @Sendable (_: @Sendable () -> Void) in
            await Gate().pass()
            ended.open()
            return 1
        }
        let (first, second) = (flights.join("key", closing: work), flights.join("key", closing: work))
        #expect(first?.isFirst == true && second?.isFirst == false)
        flights.leave(try #require(first))
        #expect(flights.waiting(for: "key") == 1)
        flights.leave(try #require(second))
        await ended.pass()
    }

    @Test func alreadyCancelledCallerGetsCancellationError() async {
        let flights = SingleFlight<String, Int>()
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await result { try await flights.run("key") { 1 } }
        }
        await #expect(throws: CancellationError.self) { try await caller.value.get() }
    }

    @Test func taskLocalsOfTheFirstCallerDoNotReachTheWork() async throws {
        let flights = SingleFlight<String, String>()
        let seen = try await Caller.$name.withValue("first") {
            try await flights.run("key") { Caller.name }
        }
        #expect(seen == "nobody")
    }

    @Test func theWorkRunsOnTheInjectedExecutor() async throws {
        let executor = CountingExecutor()
        let flights = SingleFlight<String, Int>(executor: executor)
        _ = try await flights.run("key") { 1 }
        #expect(executor.jobs.withLock { $0 } > 0)
    }
}

private enum Caller {
    @TaskLocal static var name = "nobody"
}

private final class Count: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

/// Returns the outcome as a value. `CancellationError` is not equatable, and a task's result type
/// would hide a missing throw.
private func result<Value: Sendable>(_ body: @Sendable () async throws -> Value) async -> Result<Value, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}

private final class CountingExecutor: TaskExecutor {
    let jobs = Mutex(0)

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.withLock { $0 += 1 }
        let unowned = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        Task.detached { unowned.runSynchronously(on: executor) }
    }
}
