import Synchronization
import Testing

@testable import WharfChecks
@testable import WharfFakes

/// The time that objects have to be released, on a test clock.
struct GracePeriodTests {
    @Test func conditionTrueAtOnceNeedsNoWait() async {
        let clock = TestClock()
        #expect(await GracePeriod(duration: .seconds(1), clock: clock).passes { true })
        #expect(clock.now.offset == .zero)
    }

    @Test func aTaskThatEndsWithinThePeriodIsWaitedFor() async throws {
        let stage = Stage()
        async let checked: Void = stage.check()
        await stage.clock.untilSleeping()
        stage.clock.advance(by: .milliseconds(500))
        await stage.clock.untilSleeping()
        await stage.endTask()
        stage.clock.advance(by: .milliseconds(400))
        try await checked
        #expect(stage.failures.messages == [])
    }

    @Test func aTaskThatOutlivesThePeriodIsALeak() async throws {
        let stage = Stage()
        let isChecked = Mutex(false)
        async let checked: Void = {
            try await stage.check()
            isChecked.withLock { $0 = true }
        }()
        // Many checks in little time are no reason to give up, and neither is much time with few
        // checks.
        for _ in 0..<17 {
            await stage.clock.untilSleeping()
            stage.clock.advance(by: .milliseconds(50))
        }
        #expect(stage.failures.messages == [])
        while !isChecked.withLock({ $0 }) {
            stage.clock.advance(by: .milliseconds(50))
            await Task.yield()
        }
        try await checked
        #expect(stage.failures.messages.count == 1)
        stage.gate.open()
    }

    @Test func timeWithoutATurnDoesNotCount() async throws {
        let stage = Stage()
        async let checked: Void = stage.check()
        await stage.clock.untilSleeping()
        stage.clock.advance(by: .seconds(60))
        await stage.clock.untilSleeping()
        #expect(stage.failures.messages == [])
        await stage.endTask()
        stage.clock.advance(by: .seconds(60))
        try await checked
        #expect(stage.failures.messages == [])
    }

    @Test func cancelledTestKeepsItsGracePeriod() async throws {
        let stage = Stage()
        let test = Task {
            try await stage.check { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await stage.clock.untilSleeping()
        await stage.endTask()
        stage.clock.advance(by: .milliseconds(500))
        try await test.value
        #expect(stage.failures.messages == [])
    }
}

/// An object that is tracked with a second of grace, and the task that holds it.
private struct Stage: Sendable {
    let clock = TestClock()
    let gate = Gate()
    let failures = Failures()
    private let reference = WeakReference<HeldByATask>()

    /// Ends when the object is released or its time is over.
    func check(_ next: @Sendable () -> Void = {}) async throws {
        try await LeakScope.run(GracePeriod(duration: .seconds(1), clock: clock)) {
            let object = HeldByATask()
            reference.refer(to: object)
            track(object) { failures.add($0) }
            object.start(until: gate)
            next()
        }
    }

    func endTask() async {
        gate.open()
        await waitUntil { reference.object == nil }
    }
}

private final class HeldByATask: Sendable {
    func start(until gate: Gate) {
        Task { [self] in
            await gate.pass()
            _ = self
        }
    }
}
