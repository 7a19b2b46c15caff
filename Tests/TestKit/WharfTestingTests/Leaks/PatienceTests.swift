import Testing

@testable import WharfChecks

@Suite struct PatienceTests {
    /// The number of checks, each after the given pause, until patience is over.
    private func turns(of pause: Duration) -> Int {
        var patience = Patience(.seconds(1))
        var turns = 1
        while !patience.isOver(after: pause * turns), turns < 1_000 {
            turns += 1
        }
        return turns
    }

    @Test func patienceEndsWhenItsTimeHasPassed() {
        #expect(turns(of: .milliseconds(50)) == 20 + Patience.lateTurns - 1)
    }

    @Test func timeInFewTurnsDoesNotCount() {
        #expect(turns(of: .seconds(60)) == Patience.turns)
    }
}
