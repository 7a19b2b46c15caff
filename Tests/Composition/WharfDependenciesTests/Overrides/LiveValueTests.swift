import Dispatch
import Synchronization
import Testing
import WharfDependencies

/// Dependencies in an app: nothing is overridden, and no test runs.
@Suite struct LiveValueTests {
    @Test func liveValueIsReadIfNothingOverridesIt() {
        let app = App()
        #expect(app.run { Dependencies.current[Greeting.self] } == "live")
        #expect(app.failures.isEmpty)
    }

    @Test func aLiveValueReadTwiceIsMadeOnce() {
        let app = App()
        let values = app.run { (1...2).map { _ in Dependencies.current[MadeOnce<Int>.self] } }
        #expect(Set(values).count == 1, "found \(values)")
    }

    @Test func missingLiveValueIsAFailureWithAHint() {
        let app = App()
        #expect(app.run { Dependencies.current[Unset.self] } == "unimplemented")
        #expect(
            app.failures == [
                "Unset has no live value; conform it to LiveDependencyKey where the app is composed, "
                    + "or override it: withDependencies { $0[Unset.self] = … }"
            ])
    }

    @Test func anUnsetLiveValueCanBeOverridden() {
        let app = App()
        let value = app.run {
            withDependencies {
                $0[Unset.self] = "given"
            } operation: {
                Dependencies.current[Unset.self]
            }
        }
        #expect(value == "given")
        #expect(app.failures.isEmpty)
    }

    @Test func dependencyCycleIsAFailureThatShowsThePath() {
        let app = App()
        #expect(app.run { Dependencies.current[Egg.self] } == "an egg of a chicken of no egg")
        #expect(
            app.failures == [
                "the live value of Egg needs itself: Egg → Chicken → Egg; read one of these dependencies where "
                    + "it is used, and not where the other is made"
            ])
    }

    @Test func sharedDependencyIsNoCycle() {
        let app = App()
        #expect(app.run { Dependencies.current[Both.self] } == "left of live, left of live")
        #expect(app.failures.isEmpty)
    }

    @Test func liveValueIsBuiltFromLiveValuesDespiteOverrides() {
        let app = App()
        let made = app.run {
            withDependencies {
                $0[Greeting.self] = "for a moment"
            } operation: {
                Dependencies.current[Left.self]
            }
        }
        #expect(made == "left of live")
    }

    @Test func noLockIsHeldWhileAValueIsMade() async {
        let app = App()
        let values = await onThreads([
            { @Sendable in app.run { Dependencies.current[Waiting.self] } },
            { @Sendable in
                Waiting.isMaking.wait()
                defer { Waiting.hasRead.signal() }
                return app.run { Dependencies.current[Greeting.self] ?? "" }
            },
        ])
        #expect(values.sorted() == ["live", "met"])
    }

    @Test func aLiveValueReadByManyThreadsIsMadeOnce() async {
        let app = App()
        let read = { @Sendable in app.run { Dependencies.current[Raced.self] } }
        let values = await onThreads(Array(repeating: read, count: 8))
        // Each time that a value is made it gets a new number.
        #expect(values == Array(repeating: 1, count: 8))
        #expect(read() == 1)
    }

    @Test func aCycleOverTwoThreadsIsAFailureAndNoDeadlock() async {
        let app = App()
        let values = await onThreads([
            { @Sendable in app.run { Dependencies.current[Yin.self] } },
            { @Sendable in app.run { Dependencies.current[Yang.self] } },
        ])
        // The read that closes the cycle may be on either thread.
        let expected: [Set] = [
            ["yin of yang of no yin", "yang of no yin"], ["yang of yin of no yang", "yin of no yang"],
        ]
        #expect(expected.contains(Set(values)), "found \(values)")
        let cycles = app.failures.map { $0.contains("Yin → Yang → Yin") || $0.contains("Yang → Yin → Yang") }
        #expect(cycles == [true], "found \(app.failures)")
    }

    @Test func taskReadingTheKeyBeingMadeWaits() async {
        let app = App()
        let values = await onThreads([{ @Sendable in app.run { Dependencies.current[SelfReading.self] } }])
        let later = await SelfReading.readings.withLock { $0 }?.value
        #expect(values == ["live"])
        #expect(later == "live")
        #expect(app.failures.isEmpty)
    }

    @Test func concurrentReadsMakeOneValuePerKey() async {
        for _ in 0..<50 {
            let app = App()
            let read = { @Sendable in
                app.run {
                    [
                        Dependencies.current[Counted<Int>.self], Dependencies.current[Counted<Bool>.self],
                        Dependencies.current[Counted<String>.self],
                    ]
                }
            }
            let values = await onThreads(Array(repeating: read, count: 4))
            #expect(Set(values).count == 1, "found \(values)")
            #expect(Set(values[0]).count == 3)
        }
    }
}
