internal import WharfRandom

/// Decides which faults meet each exchange and how strongly, as a value.
///
/// Its decisions depend only on the plan, the seed, and the order and times in which exchanges
/// begin.
package struct FaultEngine: Sendable {
    package let plan: FaultPlan
    package let seed: UInt64
    // Faults with probability 0 are removed, so that they do not shift the random numbers of other
    // faults.
    private let faults: [Fault]
    // `begun` is the number of the last exchange. A chain exists for each loss that has met one,
    // since bursts go on from exchange to exchange.
    private var begun = 0
    private var chains: [Int: PacketLoss.Chain] = [:]

    package init(_ plan: FaultPlan, seed: UInt64) {
        self.plan = plan
        self.seed = seed
        self.faults = plan.faults.filter { $0.probability > 0 }
    }

    /// - Parameter time: the time since the carrier was made.
    package mutating func begin(at time: Duration) -> ExchangeFaults {
        begun += 1
        var exchange = ExchangeFaults(number: begun, seed: seed)
        for (index, fault) in faults.enumerated() {
            if case .down = fault.kind, fault.start > time, fault.exchanges.contains(begun) {
                // The fault is not in force yet. When it comes into force, it ends open exchanges.
                var random = generator(begun, index)
                if decides(fault, &random) { exchange.cut(at: fault.start, by: fault) }
                continue
            }
            guard fault.mayMeet(begun, at: time) else { continue }
            var random = generator(begun, index)
            guard decides(fault, &random) else { continue }
            exchange.add(fault, random, begunAt: time)
            if case .loss(let loss) = fault.kind {
                // No exchange has the number `.max`, so the chain shares its numbers with none.
                let fresh = PacketLoss.Chain(loss, random: SeededGenerator(seed: seed, for: .max, UInt64(index)))
                if chains[index, default: fresh].losesNext() { exchange.lose(by: fault) }
            }
        }
        return exchange
    }

    private func generator(_ number: Int, _ index: Int) -> SeededGenerator {
        // By number and index alone, so that concurrent exchanges can't take each other's numbers.
        SeededGenerator(seed: seed, for: UInt64(number), UInt64(index))
    }

    private func decides(_ fault: Fault, _ random: inout SeededGenerator) -> Bool {
        fault.probability == 1 || random.share() < fault.probability
    }
}

extension FaultEngine {
    /// The times at which connecting becomes possible or impossible for all exchanges. The first is
    /// at zero.
    package var openings: [(time: Duration, isOpen: Bool)] {
        let closings = faults.filter { ($0.kind == .refused || $0.kind == .down) && $0.isUnconditional }
        let times = Set([.zero] + closings.flatMap { [$0.start, $0.end ?? .zero] }).sorted()
        var openings: [(time: Duration, isOpen: Bool)] = []
        for time in times {
            let isOpen = !closings.contains { $0.start <= time && $0.end.map { time < $0 } ?? true }
            if openings.last?.isOpen != isOpen { openings.append((time, isOpen)) }
        }
        return openings
    }
}
