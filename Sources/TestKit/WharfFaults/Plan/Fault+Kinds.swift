public import WharfCore

// MARK: - Slow

extension Fault {
    /// Delays all bytes of a direction by `delay`, plus or minus up to `jitter`.
    ///
    /// The jitter is drawn once per exchange.
    public static func latency(
        _ delay: Duration, jitter: Duration = .zero, _ direction: Direction = .toClient
    ) -> Fault {
        Fault(.latency(delay.wholeNanoseconds, jitter: jitter.wholeNanoseconds), direction)
    }

    /// Limits the bandwidth to a number of bits per second, at least 8.
    public static func bandwidth(bitsPerSecond: Int, _ direction: Direction = .toClient) -> Fault {
        Fault(.bandwidth(bitsPerSecond: max(8, bitsPerSecond)), direction)
    }

    /// Splits the stream into pieces of `bytes`, plus or minus up to `jitter`.
    ///
    /// A pause follows each piece. Heads and characters are split too.
    public static func sliced(
        bytes: Int, jitter: Int = 0, pause: Duration = .zero, _ direction: Direction = .toClient
    ) -> Fault {
        let bytes = max(1, bytes)
        return Fault(
            .sliced(bytes: bytes, jitter: min(max(0, jitter), bytes - 1), pause: pause.wholeNanoseconds), direction)
    }

    /// Delays the end of the stream by `delay` after the last byte.
    public static func slowClose(_ delay: Duration, _ direction: Direction = .toClient) -> Fault {
        Fault(.slowClose(delay.wholeNanoseconds), direction)
    }
}

// MARK: - Gone

extension Fault {
    /// Loses packets; ``PacketLoss`` describes the effect.
    public static func loss(_ loss: PacketLoss, _ direction: Direction = .toClient) -> Fault {
        Fault(.loss(loss), direction)
    }

    /// Refuses new connections, as if no process listened. Open exchanges go on.
    ///
    /// A proxy closes its port while the fault is in force for all exchanges. With a probability or
    /// a count it accepts connections and resets them.
    public static let refused = Fault(.refused, .toServer)

    /// Refuses new connections, and cuts open exchanges when it comes into force.
    public static let down = Fault(.down, .toServer)

    /// Resets the connection after a number of bytes.
    public static func reset(afterBytes count: Int, _ direction: Direction = .toClient) -> Fault {
        Fault(.reset(afterBytes: max(0, count)), direction)
    }

    /// Resets the connection at a time after the exchange began.
    public static func reset(after time: Duration) -> Fault { Fault(.cut(after: time.wholeNanoseconds), .toClient) }

    /// Ends the stream normally, but too early, after a number of bytes.
    public static func truncated(afterBytes count: Int, _ direction: Direction = .toClient) -> Fault {
        Fault(.truncated(afterBytes: max(0, count)), direction)
    }
}

// MARK: - Wrong

extension Fault {
    /// Replaces a share of the bytes, between 0 and 1, by other bytes.
    ///
    /// Each byte is drawn independently.
    public static func corrupted(share: Double, _ direction: Direction = .toClient) -> Fault {
        Fault(.corrupted(share: share.isNaN ? 0 : min(max(share, 0), 1)), direction)
    }

    /// Answers with a status and a line of text that names the fault.
    ///
    /// - Parameter direction: `.toServer` if the origin does not get the request; `.toClient` if it
    ///   does, and its answer is lost.
    public static func status(_ status: HTTPResponse.Status, _ direction: Direction = .toServer) -> Fault {
        Fault(.status(status.code), direction)
    }

    /// Replaces the body by random bytes. A message without a body is unchanged.
    public static func garbage(bytes: Int = 64, _ direction: Direction = .toClient) -> Fault {
        Fault(.garbage(bytes: max(1, bytes)), direction)
    }
}

extension Fault.Kind {
    /// The default direction.
    package var usualDirection: Fault.Direction {
        switch self {
        case .refused, .down, .status: .toServer
        default: .toClient
        }
    }

    /// Whether the fault has a direction; false if it concerns a connection as a whole.
    package var hasDirection: Bool {
        switch self {
        case .refused, .down, .cut: false
        default: true
        }
    }
}

extension Duration {
    /// The duration in whole nanoseconds, at least zero, so that a plan is the same after printing
    /// and reading it.
    var wholeNanoseconds: Duration { .nanoseconds(max(0, saturatedNanoseconds)) }
}
