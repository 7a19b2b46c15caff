import Testing
import WharfFaults
import WharfRandom

@Suite struct PacketLossTests {
    private static func lost(_ loss: PacketLoss, seed: UInt64, count: Int) -> [Bool] {
        var chain = PacketLoss.Chain(loss, random: SeededGenerator(seed: seed))
        return (0..<count).map { _ in chain.losesNext() }
    }

    @Test(
        arguments: [
            PacketLoss.share(0.1), PacketLoss(worsening: 0.02, recovery: 0.2),
            PacketLoss(worsening: 0.05, recovery: 0.5, inGood: 0.01, inBad: 0.6),
        ], [1, 2, 3] as [UInt64])
    func theShareThatIsLostIsTheAverage(loss: PacketLoss, seed: UInt64) {
        let count = 200_000
        let share = Double(Self.lost(loss, seed: seed, count: count).count { $0 }) / Double(count)
        // Losses in a burst are not independent, so the bound is wider than the binomial one.
        #expect(abs(share - loss.average) < 0.006, "\(share) and not \(loss.average)")
    }

    @Test func burstsLastAsLongAsTheRecoveryTakes() {
        let runs = Self.lost(PacketLoss(worsening: 0.01, recovery: 0.25), seed: 9, count: 400_000)
            .split(separator: false).map(\.count)
        let mean = Double(runs.reduce(0, +)) / Double(runs.count)
        #expect(runs.count > 1000)
        #expect(abs(mean - 4) < 0.4, "\(mean)")
    }

    @Test func lossOfAllAndNoneIsExact() {
        #expect(Self.lost(.share(1), seed: 1, count: 1000).allSatisfy { $0 })
        #expect(!Self.lost(.share(0), seed: 1, count: 1000).contains(true))
        #expect(PacketLoss(worsening: 0.1, recovery: 0.3).average == 0.25)
    }
}
