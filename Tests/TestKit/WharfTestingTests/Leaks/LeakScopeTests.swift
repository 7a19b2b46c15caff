import Synchronization
import Testing

@testable import WharfChecks

@Suite(.trackingLeaks) struct LeakScopeTests {
    private static let seen = Mutex<[LeakScope]>([])

    @Test(arguments: 0..<10) func eachTestOfASuiteIsCheckedByItself(_: Int) throws {
        let scope = try #require(LeakScope.current)
        let isNew = Self.seen.withLock { seen in
            defer { seen.append(scope) }
            return !seen.contains { $0 === scope }
        }
        #expect(isNew)
    }

    @Test func aTestThatThrowsIsCheckedAndStillThrows() async {
        struct Interruption: Error {}
        let failures = Failures()
        let leak = WeakReference<PairHolder>()
        await #expect(throws: Interruption.self) {
            try await LeakScope.run(GracePeriod(duration: .zero, clock: ContinuousClock())) {
                let pair = PairHolder()
                leak.refer(to: pair)
                track(pair) { failures.add($0) }
                throw Interruption()
            }
        }
        #expect(failures.messages.count == 1)
        leak.object?.letGo()
    }
}
