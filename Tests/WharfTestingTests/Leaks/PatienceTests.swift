import Testing

@testable import WharfChecks

@Suite struct PatienceTests {
    /// After how many turns, each so long after the one before, it was over.
    private func turns(of pause: Duration, backgroundHadItsTurn: Bool) -> Int {
        var patience = Patience(.seconds(1))
        var turns = 1
        while !patience.isOver(after: pause * turns, backgroundHadItsTurn: backgroundHadItsTurn), turns < 1_000 {
            turns += 1
        }
        return turns
    }

    @Test func itEndsWhenItsTimeHasPassed() {
        #expect(turns(of: .milliseconds(50), backgroundHadItsTurn: true) == 20)
    }

    @Test func timeInFewTurnsDoesNotCount() {
        #expect(turns(of: .seconds(60), backgroundHadItsTurn: true) == Patience.turns)
    }

    @Test func tasksOfBackgroundPriorityAreWaitedForTenTimesAsLong() {
        #expect(turns(of: .milliseconds(50), backgroundHadItsTurn: false) == 200)
    }
}
