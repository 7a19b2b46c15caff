package import WharfCore
internal import WharfRandom

/// What was decided for one exchange.
package struct ExchangeFaults: Sendable {
    package let number: Int
    package let seed: UInt64
    /// What is in force, a drawn latency in place of its jitter.
    package private(set) var faults: [Fault] = []
    /// Refuses the exchange as a whole.
    package private(set) var refusal: Fault?
    /// When the connection is cut, on the carrier's own time.
    package private(set) var cut: (time: Duration, fault: Fault)?
    /// Losses that take the exchange, where there are no packets.
    private var losses: [Fault.Direction: Fault] = [:]
    private var randoms: [SeededGenerator] = []

    init(number: Int, seed: UInt64) {
        self.number = number
        self.seed = seed
    }

    mutating func add(_ fault: Fault, _ random: SeededGenerator, begunAt time: Duration) {
        var random = random
        var fault = fault
        switch fault.kind {
        case .refused, .down: refusal = refusal ?? fault
        case .cut(let after): cut(at: time + after, by: fault)
        case .latency(let delay, let jitter) where jitter > .zero:
            // In whole microseconds where that is fine enough, which read better in a report.
            let unit: Int64 = jitter < .milliseconds(1) ? 1 : 1_000
            let spread = jitter.saturatedNanoseconds / unit
            let drawn = delay + .nanoseconds(Int64.random(in: -spread...spread, using: &random) * unit)
            fault = Fault.latency(drawn, fault.direction)
        default: break
        }
        faults.append(fault)
        randoms.append(random)
    }

    mutating func cut(at time: Duration, by fault: Fault) {
        guard cut.map({ time < $0.time }) ?? true else { return }
        cut = (time, fault)
    }

    mutating func lose(by fault: Fault) { losses[fault.direction] = losses[fault.direction] ?? fault }

    // MARK: What to do

    /// Nothing goes wrong, now or later.
    package var isFree: Bool { faults.isEmpty && cut == nil }

    /// The fault that takes the whole exchange, where there are no packets.
    package func loss(_ direction: Fault.Direction) -> Fault? { losses[direction] }

    /// How much later everything comes.
    package func latency(_ direction: Fault.Direction) -> Duration {
        faults.reduce(.zero) { sum, fault in
            guard case .latency(let delay, _) = fault.kind, fault.direction == direction else { return sum }
            return sum + delay
        }
    }

    /// The status that is answered in place of the origin.
    package func status(_ direction: Fault.Direction) -> (status: HTTPResponse.Status, fault: Fault)? {
        for fault in faults where fault.direction == direction {
            if case .status(let code) = fault.kind { return (HTTPResponse.Status(code: code), fault) }
        }
        return nil
    }

    /// The bytes that stand in for a body.
    package func garbage(_ direction: Fault.Direction) -> (bytes: [UInt8], fault: Fault)? {
        for (index, fault) in faults.enumerated() where fault.direction == direction {
            guard case .garbage(let count) = fault.kind else { continue }
            var random = randoms[index]
            return ((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, fault)
        }
        return nil
    }

    /// What happens to the bytes of one direction.
    ///
    /// - Parameter losesPackets: false where a loss takes the whole exchange, and latency was
    ///   waited for already.
    package func stream(_ direction: Fault.Direction, ofPackets: Bool) -> StreamFaults {
        var stream = StreamFaults()
        for (fault, random) in zip(faults, randoms) where fault.direction == direction {
            switch fault.kind {
            case .latency(let delay, _) where ofPackets: stream.latency += delay
            case .bandwidth(let rate): stream.limit(bitsPerSecond: rate)
            case .loss(let loss) where ofPackets: stream.losses.append((.init(loss, random: random), loss, fault))
            case .reset(let count): stream.cut(after: count, .reset(fault))
            case .truncated(let count): stream.cut(after: count, .truncated(fault))
            case .slowClose(let delay): stream.closing += delay
            case .sliced(let bytes, let jitter, let pause):
                stream.slicing = stream.slicing ?? .init(bytes: bytes, jitter: jitter, pause: pause, random: random)
            case .corrupted(let share) where share > 0: stream.corruptions.append((share, random))
            default: break
            }
        }
        return stream
    }

    package func injected(_ fault: Fault) -> InjectedFault {
        InjectedFault(fault: fault, exchange: number, seed: seed)
    }
}
