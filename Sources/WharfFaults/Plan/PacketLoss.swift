package import WharfRandom

/// How packets are lost, as a Markov chain of two states (Gilbert 1960, Elliott 1963): in the good
/// one few are, in the bad one many, so that losses come in bursts.
///
/// TCP loses no byte, it sends a packet again. A proxy therefore plays a lost packet as the pause
/// until then (1460 bytes make a packet; 200 ms, Linux's least, doubled for each time in a row as
/// RFC 6298 §5.5 has it), and as silence once the pause is above a minute or nothing comes through
/// at all. Over a transport, where there are no packets, a loss takes the exchange: `.toServer` the
/// request never arrives, `.toClient` the origin has it and the answer never comes. The client
/// waits until its own timeout.
public struct PacketLoss: Sendable, Hashable {
    /// The probability to go from the good state to the bad one, before each packet.
    public let worsening: Double
    /// The probability to go from the bad state back.
    public let recovery: Double
    /// The share that is lost in the good state.
    public let inGood: Double
    /// The share that is lost in the bad state.
    public let inBad: Double

    /// Bursts. Probabilities outside of 0 to 1 are taken for the nearest inside.
    public init(worsening: Double, recovery: Double, inGood: Double = 0, inBad: Double = 1) {
        func clamped(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
        self.worsening = clamped(worsening)
        self.recovery = clamped(recovery)
        self.inGood = clamped(inGood)
        self.inBad = clamped(inBad)
    }

    /// Each packet by itself, with that probability.
    public static func share(_ probability: Double) -> PacketLoss {
        PacketLoss(worsening: 0, recovery: 1, inGood: probability, inBad: probability)
    }

    /// The share that is lost in the long run: that of each state by the time that the chain spends
    /// in it.
    public var average: Double {
        guard worsening > 0 else { return inGood }
        let bad = worsening / (worsening + recovery)
        return (1 - bad) * inGood + bad * inBad
    }

    /// Nothing ever comes through.
    package var isTotal: Bool { inGood == 1 && (inBad == 1 || worsening == 0) }

    /// The chain at work. It begins in the good state.
    package struct Chain: Sendable {
        private let loss: PacketLoss
        private var isBad = false
        private var random: SeededGenerator

        package init(_ loss: PacketLoss, random: SeededGenerator) {
            self.loss = loss
            self.random = random
        }

        /// Whether the next packet is lost.
        package mutating func losesNext() -> Bool {
            isBad = isBad ? random.share() >= loss.recovery : random.share() < loss.worsening
            return random.share() < (isBad ? loss.inBad : loss.inGood)
        }
    }
}

extension SeededGenerator {
    /// Evenly from 0 up to, but without, 1.
    mutating func share() -> Double { Double.random(in: 0..<1, using: &self) }
}
