/// One thing that goes wrong between a client and its origin: what, which way, how often and when.
///
/// ```swift
/// .latency(.milliseconds(200), jitter: .milliseconds(50))
/// .reset(afterBytes: 512, .toServer).with(probability: 0.3)
/// .status(503).first(2)
/// .down.after(.seconds(5)).until(.seconds(20))
/// ```
///
/// An *exchange* is one request with its answer where the fault is put over a transport, and one
/// connection where a proxy plays it. A fault is decided once for each: whether it is in force
/// there, and by how much. Positions in bytes count the body at a transport; at a proxy they count
/// what goes over the wire in that direction, heads included. Position 0 is before the head at
/// both.
public struct Fault: Sendable, Hashable {
    /// Which bytes it meets.
    public enum Direction: Sendable, Hashable {
        /// What the client sends.
        case toServer
        /// What the client gets.
        case toClient
    }

    package enum Kind: Sendable, Hashable {
        case latency(Duration, jitter: Duration)
        case bandwidth(bitsPerSecond: Int)
        case loss(PacketLoss)
        case refused
        case down
        case reset(afterBytes: Int)
        case cut(after: Duration)
        case truncated(afterBytes: Int)
        case slowClose(Duration)
        case sliced(bytes: Int, jitter: Int, pause: Duration)
        case corrupted(share: Double)
        case status(Int)
        case garbage(bytes: Int)
    }

    package let kind: Kind
    package var direction: Direction
    /// Between 0 and 1: how likely it is in force for one exchange.
    package var probability = 1.0
    /// The exchanges for which it may be in force, the first one being 1.
    package var exchanges = 1...Int.max
    /// When it may be in force, counted from when the transport or the proxy was made.
    package var start = Duration.zero
    package var end: Duration?

    package init(_ kind: Kind, _ direction: Direction) {
        self.kind = kind
        self.direction = direction
    }
}

// MARK: - How often and when

extension Fault {
    /// In force for that share of the exchanges, each decided by itself. 0 is as if the fault were
    /// not in the plan.
    ///
    /// - Parameter probability: what is not between 0 and 1 is taken for the nearest that is.
    public func with(probability: Double) -> Fault {
        // What is no number is as good as never.
        changed { $0.probability = probability.isNaN ? 0 : min(max(probability, 0), 1) }
    }

    /// In force for the first `count` exchanges only.
    public func first(_ count: Int) -> Fault {
        changed { fault in
            if count < fault.exchanges.lowerBound {
                fault.probability = 0
            } else {
                fault.exchanges = fault.exchanges.lowerBound...count
            }
        }
    }

    /// In force from the exchange of that number on; the first one is 1.
    public func from(_ number: Int) -> Fault {
        changed { fault in
            let lower = max(1, number)
            if lower > fault.exchanges.upperBound {
                fault.probability = 0
            } else {
                fault.exchanges = lower...fault.exchanges.upperBound
            }
        }
    }

    /// In force for exchanges that begin at that time or later, counted from when the transport or
    /// the proxy was made. ``down`` also ends what is under way then.
    public func after(_ time: Duration) -> Fault { changed { $0.start = time.wholeNanoseconds } }

    /// In force for exchanges that begin before that time.
    public func until(_ time: Duration) -> Fault { changed { $0.end = time.wholeNanoseconds } }

    private func changed(_ change: (inout Fault) -> Void) -> Fault {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Fault {
    /// Whether it can be in force for an exchange, chance aside.
    package func mayMeet(_ number: Int, at time: Duration) -> Bool {
        probability > 0 && exchanges.contains(number) && start <= time && end.map { time < $0 } ?? true
    }

    /// In force at some times for all exchanges, so that a port can be closed for it.
    package var isUnconditional: Bool { probability == 1 && exchanges == 1...Int.max }
}
