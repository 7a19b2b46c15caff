/// What goes wrong on the way, as a value: the same plan goes over any transport
/// (``FaultyTransport``) and over real sockets (`FaultProxy` of `WharfTestServer`).
///
/// ```swift
/// let transport = FaultyTransport(PlatformTransport(), .threeG + [.status(503).first(2)], seed: 42)
/// ```
///
/// What happens follows from the plan and the seed alone. A plan has a text form, for command lines
/// and messages: see ``init(parsing:)``.
public struct FaultPlan: Sendable, Hashable, ExpressibleByArrayLiteral {
    public var faults: [Fault]

    public init(_ faults: [Fault]) { self.faults = faults }

    public init(arrayLiteral faults: Fault...) { self.faults = faults }

    /// The plan with each fault changed, as a preset is limited: `.offline.each { $0.from(2) }`.
    public func each(_ change: (Fault) -> Fault) -> FaultPlan { FaultPlan(faults.map(change)) }

    public static func + (first: FaultPlan, second: FaultPlan) -> FaultPlan {
        FaultPlan(first.faults + second.faults)
    }
}

// MARK: - Presets

extension FaultPlan {
    /// Nothing goes wrong.
    public static let none: FaultPlan = []

    /// All packets are lost, both ways: "100% Loss" of Apple's Network Link Conditioner. Nothing is
    /// refused; the client waits until its own timeout.
    public static let offline: FaultPlan = [.loss(.share(1), .toServer), .loss(.share(1), .toClient)]

    /// "3G" of Apple's Network Link Conditioner: 780 kbit/s down, 330 up, 100 ms each way.
    public static let threeG = link(down: 780, up: 330, delay: 100, 100)

    /// "Edge" of Apple's Network Link Conditioner: 240 kbit/s down, 200 up, 440 ms there and 400
    /// back.
    public static let edge = link(down: 240, up: 200, delay: 440, 400)

    /// "LTE" of Apple's Network Link Conditioner: 50 Mbit/s down, 10 up, 65 ms there and 50 back.
    public static let lte = link(down: 50_000, up: 10_000, delay: 65, 50)

    /// "DSL" of Apple's Network Link Conditioner: 2 Mbit/s down, 256 kbit/s up, 5 ms each way.
    public static let dsl = link(down: 2_000, up: 256, delay: 5, 5)

    /// "Very Bad Network" of Apple's Network Link Conditioner: 1 Mbit/s, 500 ms and a tenth of the
    /// packets lost, each way.
    public static let veryBad =
        link(down: 1_000, up: 1_000, delay: 500, 500) + [.loss(.share(0.1), .toServer), .loss(.share(0.1), .toClient)]

    /// "56K Dial-Up" of WebPageTest: 49 kbit/s down, 30 up, 60 ms each way. Apple's conditioner of
    /// today has none.
    public static let dialUp = link(down: 49, up: 30, delay: 60, 60)

    /// The presets by the names that the text form has for them.
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
