package import WharfRandom

/// Packet loss as a Markov chain of two states (Gilbert 1960, Elliott 1963).
///
/// In the good state few packets are lost, in the bad one many, so that losses come in bursts.
///
/// TCP retransmits lost packets. So a proxy simulates a loss as the pause until the retransmission.
/// A packet has 1460 bytes. The pause is 200 ms, Linux's minimum, and doubles with each loss in a
/// row (RFC 6298 §5.5). If the pause exceeds a minute, or all packets are lost, silence follows.
///
/// A transport has no packets, so a loss takes the whole exchange. With `.toServer` the request
/// never arrives. With `.toClient` the origin gets it, and the answer never arrives. The client
/// waits until its own timeout.
public struct PacketLoss: Sendable, Hashable {
    /// The probability of a change from good to bad, before each packet.
    public let worsening: Double
    /// The probability of a change from bad to good, before each packet.
    public let recovery: Double
    /// The share of packets that are lost in the good state.
    public let inGood: Double
    /// The share of packets that are lost in the bad state.
    public let inBad: Double

    /// Creates a loss in bursts. Probabilities outside of 0 to 1 are clamped.
    public init(worsening: Double, recovery: Double, inGood: Double = 0, inBad: Double = 1) {
        func clamped(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
        self.worsening = clamped(worsening)
        self.recovery = clamped(recovery)
        self.inGood = clamped(inGood)
        self.inBad = clamped(inBad)
    }

    /// Returns a loss of each packet independently, with the given probability.
    public static func share(_ probability: Double) -> PacketLoss {
        PacketLoss(worsening: 0, recovery: 1, inGood: probability, inBad: probability)
    }

    /// The long-run share of lost packets.
    ///
    /// It is each state's share, weighted by the time that the chain spends in that state.
    public var average: Double {
        guard worsening > 0 else { return inGood }
        let bad = worsening / (worsening + recovery)
        return (1 - bad) * inGood + bad * inBad
    }

    /// Whether all packets are lost.
    package var isTotal: Bool { inGood == 1 && (inBad == 1 || worsening == 0) }

    /// A running chain. It begins in the good state.
    package struct Chain: Sendable {
        private let loss: PacketLoss
        private var isBad = false
        private var random: SeededGenerator

        package init(_ loss: PacketLoss, random: SeededGenerator) {
            self.loss = loss
            self.random = random
        }

        /// Moves to the next packet, and returns whether it is lost.
        package mutating func losesNext() -> Bool {
            // Two numbers per packet in either state, so that a changed share leaves the places of
            // the bursts as they are.
            isBad = isBad ? random.share() >= loss.recovery : random.share() < loss.worsening
            return random.share() < (isBad ? loss.inBad : loss.inGood)
        }
    }
}

extension SeededGenerator {
    /// Returns a uniformly distributed number from 0 up to, but excluding, 1.
    mutating func share() -> Double { Double.random(in: 0..<1, using: &self) }
}
