import Testing
import WharfChecks

private final class Part {}

/// A suite's own properties, which are released with it before the check.
@Suite(.trackingLeaks) final class TrackingLeaksTests {
    private let stored = Part()
    private var replaced = Part()

    init() {
        trackForLeaks(stored)
        trackForLeaks(replaced)
    }

    @Test func severalObjectsOfATestAreTracked() {
        trackForLeaks(replaced)
        replaced = trackForLeaks(Part())
        let local = trackForLeaks(Part())
        #expect(local !== replaced)
    }

    @Test(arguments: 0..<10) func parameterisedTestsHaveObjectsOfTheirOwn(_ index: Int) async {
        let local = trackForLeaks(Part())
        await Task.yield()
        #expect(local !== stored)
    }

    @Test func anActorIsTracked() async {
        actor Counter {
            private(set) var count = 0
            init() { trackForLeaks(self) }
            func increment() {
                count += 1
                trackForLeaks(self)
            }
        }
        let counter = trackForLeaks(Counter())
        await counter.increment()
        #expect(await counter.count == 1)
    }

    @Test func anExistentialIsTracked() {
        let object: any Holder = ClosureHolder()
        trackForLeaks(object)
        object.letGo()
    }

    @Test func aTaskMayEndAfterTheTest() {
        let part = Clean.task.make()
        trackForLeaks(part)
    }

    @Test func childTasksRegisterInTheirTest() async {
        await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { _ = trackForLeaks(Part()) } }
        }
    }

    @Suite struct Nested {
        private let stored = trackForLeaks(Part())
        @Test func theTraitReachesNestedSuites() { trackForLeaks(stored) }
        @Test(.trackingLeaks) func traitMayBeGivenTwice() { trackForLeaks(stored) }
    }

    @Test(.trackingLeaks(within: .zero)) func objectGoneAtOncePassesWithoutAGracePeriod() {
        trackForLeaks(Part())
    }
}

@Suite(.trackingLeaks) @MainActor struct TrackingLeaksOnTheMainActorTests {
    private final class Screen { var title = "" }
    private let stored = trackForLeaks(Screen())

    @Test func objectsOfTheMainActorAreTracked() {
        let screen = trackForLeaks(Screen())
        screen.title = "Feed"
        stored.title = "Profile"
    }
}
