/// A list of network faults, as a value, for any transport and for real sockets.
///
/// A ``FaultyTransport`` applies it to a transport, and `FaultProxy` of `WharfTestServer` to
/// sockets.
///
/// ```swift
/// let transport = FaultyTransport(PlatformTransport(), .threeG + [.status(503).first(2)], seed: 42)
/// ```
///
/// The outcome depends only on the plan and the seed. A plan has a text form for command lines and
/// messages: see ``init(parsing:)``.
public struct FaultPlan: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The faults, which are all applied.
    public var faults: [Fault]

    /// Creates a plan of faults.
    public init(_ faults: [Fault]) { self.faults = faults }

    public init(arrayLiteral faults: Fault...) { self.faults = faults }

    /// Returns the plan with each fault changed: `.offline.each { $0.from(2) }`.
    public func each(_ change: (Fault) -> Fault) -> FaultPlan { FaultPlan(faults.map(change)) }

    /// Returns a plan with the faults of both.
    public static func + (first: FaultPlan, second: FaultPlan) -> FaultPlan {
        FaultPlan(first.faults + second.faults)
    }
}

// MARK: - Presets

extension FaultPlan {
    /// A plan without faults.
    public static let none: FaultPlan = []

    /// Loss of all packets in both directions.
    ///
    /// This is "100% Loss" of Apple's Network Link Conditioner. No connection is refused; the
    /// client waits until its own timeout.
    public static let offline: FaultPlan = [.loss(.share(1), .toServer), .loss(.share(1), .toClient)]

    /// A 3G link: 780 kbit/s down, 330 up, 100 ms each way.
    ///
    /// These are the values of "3G" of Apple's Network Link Conditioner.
    public static let threeG = link(down: 780, up: 330, delay: 100, 100)

    /// An EDGE link: 240 kbit/s down, 200 up, 440 ms to the server and 400 back.
    ///
    /// These are the values of "Edge" of Apple's Network Link Conditioner.
    public static let edge = link(down: 240, up: 200, delay: 440, 400)

    /// An LTE link: 50 Mbit/s down, 10 up, 65 ms to the server and 50 back.
    ///
    /// These are the values of "LTE" of Apple's Network Link Conditioner.
    public static let lte = link(down: 50_000, up: 10_000, delay: 65, 50)

    /// A DSL link: 2 Mbit/s down, 256 kbit/s up, 5 ms each way.
    ///
    /// These are the values of "DSL" of Apple's Network Link Conditioner.
    public static let dsl = link(down: 2_000, up: 256, delay: 5, 5)

    /// A very bad link: 1 Mbit/s, 500 ms and a tenth of the packets lost, each way.
    ///
    /// These are the values of "Very Bad Network" of Apple's Network Link Conditioner.
    public static let veryBad =
        link(down: 1_000, up: 1_000, delay: 500, 500) + [.loss(.share(0.1), .toServer), .loss(.share(0.1), .toClient)]

    /// A dial-up link: 49 kbit/s down, 30 up, 60 ms each way.
    ///
    /// These are the values of "56K Dial-Up" of WebPageTest. Apple's current conditioner has no
    /// such preset.
    public static let dialUp = link(down: 49, up: 30, delay: 60, 60)

    /// The presets, with their names in the text form.
    public static let presets: [(name: String, plan: FaultPlan)] = [
        ("offline", offline), ("very-bad", veryBad), ("dial-up", dialUp), ("edge", edge), ("3g", threeG), ("dsl", dsl),
        ("lte", lte),
    ]

    /// - Parameters:
    ///   - down: kbit/s to the client; `up`, to the server.
    ///   - there: milliseconds to the server; `back`, to the client.
    private static func link(down: Int, up: Int, delay there: Int, _ back: Int) -> FaultPlan {
        [
            .latency(.milliseconds(there), .toServer), .latency(.milliseconds(back), .toClient),
            .bandwidth(bitsPerSecond: up * 1_000, .toServer), .bandwidth(bitsPerSecond: down * 1_000, .toClient),
        ]
    }
}
