package import WharfCore
internal import WharfRandom

/// The decided faults of one exchange.
package struct ExchangeFaults: Sendable {
    package let number: Int
    package let seed: UInt64
    /// The faults in force, with drawn latencies in place of their jitter.
    package private(set) var faults: [Fault] = []
    /// The fault that refuses the whole exchange.
    package private(set) var refusal: Fault?
    /// The time at which the connection is cut, on the carrier's clock, and the fault that cuts it.
    package private(set) var cut: (time: Duration, fault: Fault)?
    /// The losses that take the whole exchange, for carriers without packets.
    private var losses: [Fault.Direction: Fault] = [:]
    // One for each element of `faults`, at the same index. So the numbers of a fault do not depend
    // on the other faults.
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
            // Whole microseconds, if they are fine enough, read better in a report.
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
        // The earliest cut wins.
        guard cut.map({ time < $0.time }) ?? true else { return }
        cut = (time, fault)
    }

    mutating func lose(by fault: Fault) { losses[fault.direction] = losses[fault.direction] ?? fault }

    // MARK: What to do

    /// Whether no fault is in force, now or later.
    package var isFree: Bool { faults.isEmpty && cut == nil }

    /// Returns the loss that takes the whole exchange, for carriers without packets.
    package func loss(_ direction: Fault.Direction) -> Fault? { losses[direction] }

    /// Returns the sum of all latencies of a direction.
    package func latency(_ direction: Fault.Direction) -> Duration {
        faults.reduce(.zero) { sum, fault in
            guard case .latency(let delay, _) = fault.kind, fault.direction == direction else { return sum }
            return sum + delay
        }
    }

    /// Returns the status that replaces the origin's answer.
    package func status(_ direction: Fault.Direction) -> (status: HTTPResponse.Status, fault: Fault)? {
        for fault in faults where fault.direction == direction {
            if case .status(let code) = fault.kind { return (HTTPResponse.Status(code: code), fault) }
        }
        return nil
    }

    /// Returns the bytes that replace a body.
    package func garbage(_ direction: Fault.Direction) -> (bytes: [UInt8], fault: Fault)? {
        for (index, fault) in faults.enumerated() where fault.direction == direction {
            guard case .garbage(let count) = fault.kind else { continue }
            var random = randoms[index]
            return ((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, fault)
        }
        return nil
    }

    /// Returns the faults of the bytes of one direction.
    ///
    /// - Parameter ofPackets: false if a loss takes the whole exchange, and the latency was waited
    ///   for already.
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
