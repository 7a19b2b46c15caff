public import WharfCore

// MARK: - Slow

extension Fault {
    /// Everything that way comes later by `delay`, more or less by up to `jitter`, drawn once for
    /// each exchange.
    public static func latency(
        _ delay: Duration, jitter: Duration = .zero, _ direction: Direction = .toClient
    ) -> Fault {
        Fault(.latency(delay.wholeNanoseconds, jitter: jitter.wholeNanoseconds), direction)
    }

    /// No more than that many bits in a second, the unit in which networks are sold; at least 8.
    public static func bandwidth(bitsPerSecond: Int, _ direction: Direction = .toClient) -> Fault {
        Fault(.bandwidth(bitsPerSecond: max(8, bitsPerSecond)), direction)
    }

    /// What is sent arrives in pieces of `bytes`, more or less by up to `jitter`, with a pause
    /// behind each: heads and characters are torn.
    public static func sliced(
        bytes: Int, jitter: Int = 0, pause: Duration = .zero, _ direction: Direction = .toClient
    ) -> Fault {
        let bytes = max(1, bytes)
        return Fault(
            .sliced(bytes: bytes, jitter: min(max(0, jitter), bytes - 1), pause: pause.wholeNanoseconds), direction)
    }

    /// The end comes later by `delay` than the last byte.
    public static func slowClose(_ delay: Duration, _ direction: Direction = .toClient) -> Fault {
        Fault(.slowClose(delay.wholeNanoseconds), direction)
    }
}

// MARK: - Gone

extension Fault {
    /// Packets are lost. See ``PacketLoss`` for what becomes of them.
    public static func loss(_ loss: PacketLoss, _ direction: Direction = .toClient) -> Fault {
        Fault(.loss(loss), direction)
    }

    /// Nobody listens: new connections are refused, and what is under way goes on.
    ///
    /// A proxy closes its port while it is in force for all exchanges. With a probability or a
    /// count it accepts and resets.
    public static let refused = Fault(.refused, .toServer)

    /// The service is down: new connections are refused, and what is under way is cut when it comes
    /// into force.
    public static let down = Fault(.down, .toServer)

    /// The connection is reset after that many bytes.
    public static func reset(afterBytes count: Int, _ direction: Direction = .toClient) -> Fault {
        Fault(.reset(afterBytes: max(0, count)), direction)
    }

    /// The connection is reset that long after the exchange began.
    public static func reset(after time: Duration) -> Fault { Fault(.cut(after: time.wholeNanoseconds), .toClient) }

    /// The sender ends after that many bytes, in order and too early.
    public static func truncated(afterBytes count: Int, _ direction: Direction = .toClient) -> Fault {
        Fault(.truncated(afterBytes: max(0, count)), direction)
    }
}

// MARK: - Wrong

extension Fault {
    /// That share of the bytes, each by itself, is replaced by another byte; between 0 and 1.
    public static func corrupted(share: Double, _ direction: Direction = .toClient) -> Fault {
        Fault(.corrupted(share: share.isNaN ? 0 : min(max(share, 0), 1)), direction)
    }

    /// The answer is this status, with a line of text that names the fault.
    ///
    /// - Parameter direction: `.toServer` when the origin does not get the request; `.toClient`
    ///   when it does, and its answer is lost.
    public static func status(_ status: HTTPResponse.Status, _ direction: Direction = .toServer) -> Fault {
        Fault(.status(status.code), direction)
    }

    /// The body is replaced by random bytes; where there is none, nothing is.
    public static func garbage(bytes: Int = 64, _ direction: Direction = .toClient) -> Fault {
        Fault(.garbage(bytes: max(1, bytes)), direction)
    }
}

extension Fault.Kind {
    /// The direction that is meant when none is said.
    package var usualDirection: Fault.Direction {
        switch self {
        case .refused, .down, .status: .toServer
        default: .toClient
        }
    }

    /// False for what concerns a connection as a whole.
    package var hasDirection: Bool {
        switch self {
        case .refused, .down, .cut: false
        default: true
        }
    }
}

extension Duration {
    /// Without what is finer than a nanosecond or below zero, so that a plan is the same after it
    /// was printed and read.
    var wholeNanoseconds: Duration { .nanoseconds(max(0, saturatedNanoseconds)) }
}
