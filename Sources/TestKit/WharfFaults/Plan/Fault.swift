/// A network fault between a client and its origin.
///
/// It has a kind, a direction, a frequency and a time.
///
/// ```swift
/// .latency(.milliseconds(200), jitter: .milliseconds(50))
/// .reset(afterBytes: 512, .toServer).with(probability: 0.3)
/// .status(503).first(2)
/// .down.after(.seconds(5)).until(.seconds(20))
/// ```
///
/// An *exchange* is one request with its answer if the fault is applied to a transport, and one
/// connection if a proxy applies it. For each exchange the fault is decided once: whether it is in
/// force, and how strongly. At a transport, positions in bytes count the body. At a proxy they
/// count the bytes on the wire in that direction, heads included. At both, position 0 is before the
/// head.
public struct Fault: Sendable, Hashable {
    /// The direction of the bytes that a fault meets.
    public enum Direction: Sendable, Hashable {
        /// Bytes that the client sends.
        case toServer
        /// Bytes that the client receives.
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
    /// The probability that it is in force for an exchange, between 0 and 1.
    package var probability = 1.0
    /// The exchanges for which it may be in force, counted from 1.
    package var exchanges = 1...Int.max
    /// The start of the time in which it may be in force, since the transport or the proxy was
    /// made.
    package var start = Duration.zero
    /// The end of that time; nil for no end.
    package var end: Duration?

    package init(_ kind: Kind, _ direction: Direction) {
        self.kind = kind
        self.direction = direction
    }
}

// MARK: - How often and when

extension Fault {
    /// Returns the fault in force for that share of the exchanges.
    ///
    /// Each exchange is decided independently. With 0 it is as if the fault were not in the plan.
    ///
    /// - Parameter probability: a value outside of 0 to 1 is clamped.
    public func with(probability: Double) -> Fault {
        // NaN counts as 0.
        changed { $0.probability = probability.isNaN ? 0 : min(max(probability, 0), 1) }
    }

    /// Returns the fault in force for the first `count` exchanges only.
    public func first(_ count: Int) -> Fault {
        changed { fault in
            if count < fault.exchanges.lowerBound {
                fault.probability = 0
            } else {
                fault.exchanges = fault.exchanges.lowerBound...count
            }
        }
    }

    /// Returns the fault in force from an exchange on; the first exchange is 1.
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

    /// Returns the fault in force for exchanges that begin at that time or later.
    ///
    /// The time is counted from when the transport or the proxy was made. ``down`` also ends
    /// exchanges that are open at that time.
    public func after(_ time: Duration) -> Fault { changed { $0.start = time.wholeNanoseconds } }

    /// Returns the fault in force for exchanges that begin before that time.
    public func until(_ time: Duration) -> Fault { changed { $0.end = time.wholeNanoseconds } }

    private func changed(_ change: (inout Fault) -> Void) -> Fault {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Fault {
    /// Returns whether it can be in force for an exchange, apart from its probability.
    package func mayMeet(_ number: Int, at time: Duration) -> Bool {
        probability > 0 && exchanges.contains(number) && start <= time && end.map { time < $0 } ?? true
    }

    /// Whether it is in force for all exchanges at some time, so that a port can be closed for it.
    package var isUnconditional: Bool { probability == 1 && exchanges == 1...Int.max }
}
