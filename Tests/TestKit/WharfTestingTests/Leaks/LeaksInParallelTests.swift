import Testing
import WharfChecks

/// Many real tests at the same time. `LeaksUnderLoadTests` has larger numbers, without a line of
/// output for each.
@Suite struct LeaksInParallelTests {
    @Test(.trackingLeaks, arguments: 0..<600)
    func aCleanTestPasses(_ index: Int) {
        trackForLeaks(Clean.allCases[index % Clean.allCases.count].make())
    }

    @Test(.fails("to be released after the test", lines: 3), .trackingLeaks, arguments: 0..<60)
    func aTestThatLeaksFails(_ index: Int) {
        let holder = holders[index % holders.count].init()
        trackForLeaks(holder)
    }
}
