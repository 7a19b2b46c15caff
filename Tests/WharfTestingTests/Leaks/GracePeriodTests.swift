import Testing

@testable import WharfTesting

/// How long objects have, on a clock of the test's own.
@Suite(.timeLimit(.minutes(2))) struct GracePeriodTests {
    @Test func whatIsOverAtOnceIsNotWaitedFor() async {
        let clock = TestClock()
        #expect(await GracePeriod(duration: .seconds(1), clock: clock).passes { true })
        #expect(clock.now.offset == .zero)
    }

    @Test func aTaskThatEndsWithinThePeriodIsWaitedFor() async throws {
        let clock = TestClock()
        let gate = Gate()
        let failures = Failures()
        let reference = WeakReference<HeldByATask>()
        async let checked: Void = LeakScope.run(GracePeriod(duration: .seconds(1), clock: clock)) {
            let object = HeldByATask()
            reference.refer(to: object)
            track(object) { failures.add($0) }
            object.start(until: gate)
        }
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(500))
        await clock.untilSleeping()
        gate.open()
        while reference.object != nil { await Task.yield() }
        clock.advance(by: .milliseconds(400))
        try await checked
        #expect(failures.messages == [])
    }

    @Test func aTaskThatOutlivesThePeriodIsALeak() async throws {
        let clock = TestClock()
        let gate = Gate()
        let failures = Failures()
        let isChecked = Mutable<Bool>()
        async let checked: Void = {
            try await LeakScope.run(GracePeriod(duration: .seconds(1), clock: clock)) {
                let object = HeldByATask()
                track(object) { failures.add($0) }
                object.start(until: gate)
            }
            isChecked.value = true
        }()
        // Many turns in no time are no reason to give up, and neither is much time in few turns.
        for _ in 0..<17 {
            await clock.untilSleeping()
            clock.advance(by: .milliseconds(50))
        }
        #expect(failures.messages == [])
        while isChecked.value != true {
            clock.advance(by: .milliseconds(50))
            await Task.yield()
        }
        try await checked
        #expect(failures.messages.count == 1)
        gate.open()
    }

    @Test func timeInWhichNobodyHadATurnDoesNotCount() async throws {
        let clock = TestClock()
        let gate = Gate()
        let failures = Failures()
        let reference = WeakReference<HeldByATask>()
        async let checked: Void = LeakScope.run(GracePeriod(duration: .seconds(1), clock: clock)) {
            let object = HeldByATask()
            reference.refer(to: object)
            track(object) { failures.add($0) }
            object.start(until: gate)
        }
        await clock.untilSleeping()
        clock.advance(by: .seconds(60))
        await clock.untilSleeping()
        #expect(failures.messages == [])
        gate.open()
        while reference.object != nil { await Task.yield() }
        clock.advance(by: .seconds(60))
        try await checked
        #expect(failures.messages == [])
    }

    @Test func aCancelledTestHasItsGraceAllTheSame() async throws {
        let clock = TestClock()
        let gate = Gate()
        let failures = Failures()
        let reference = WeakReference<HeldByATask>()
        let test = Task {
            try await LeakScope.run(GracePeriod(duration: .seconds(1), clock: clock)) {
                let object = HeldByATask()
                reference.refer(to: object)
                track(object) { failures.add($0) }
                object.start(until: gate)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await clock.untilSleeping()
        gate.open()
        while reference.object != nil { await Task.yield() }
        clock.advance(by: .milliseconds(500))
        try await test.value
        #expect(failures.messages == [])
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
