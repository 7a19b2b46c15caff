public import WharfAnalytics
public import WharfChecks
internal import WharfCore
public import WharfJSON

/// The laws that every ``WharfAnalytics/AnalyticsSink`` keeps.
///
/// ```swift
/// @Test(arguments: AnalyticsSinkLaws.all)
/// func logSinkKeeps(law: Law<AnalyticsSinkLaws.Subject>) async throws {
///     try await law.check(.init("LogSink") {
///         let log = FakeLog()
///         return .init(
///             LogSink(log), arrivals: { log.events.map { .init(content: $0.json) } },
///             set: { log.condition = $0 })
///     })
/// }
/// ```
public enum AnalyticsSinkLaws {
    /// A sink under examination, as the closure that makes a new one.
    public typealias Subject = Conformer<Instance>

    /// The state of the receiver that a sink sends to.
    public enum Condition: Hashable, Sendable {
        /// The receiver takes each event.
        case working
        /// The receiver can't take events now.
        case busy
        /// The receiver never takes the events of these ids.
        case refusing(Set<String>)
    }

    /// A thing that a sink or its receiver can do, and that others can't.
    public enum Ability: Hashable, Sendable, CaseIterable {
        /// A test can set ``Condition/busy``.
        case beingBusy
        /// A test can set ``Condition/refusing(_:)``.
        case refusing
        /// The receiver takes the other events of a batch in which it refuses one.
        case refusingSome
        /// The sink asks whether an event is wanted, before each part of a batch.
        case askingForConsent
    }

    /// An event as the receiver got it.
    public struct Arrival: Hashable, Sendable {
        /// The event in the receiver's form.
        public var content: JSONValue
        /// The key of the batch that brought the event; nil if the sink can't hand one on.
        public var key: String?

        /// Creates an arrival.
        public init(content: JSONValue, key: String? = nil) {
            self.content = content
            self.key = key
        }
    }

    /// A sink at work, with its receiver.
    public struct Instance: Sendable {
        let sink: any AnalyticsSink
        let abilities: Set<Ability>
        let arrivals: @Sendable () async throws -> [Arrival]
        let set: @Sendable (Condition) async throws -> Void
        let read: @Sendable (TrackedEvent) -> JSONValue

        /// Creates an instance whose receiver is working.
        ///
        /// - Parameters:
        ///   - arrivals: the events that the receiver has taken, in order.
        ///   - set: changes the condition for the next batches.
        ///   - read: the content of an arrival for an event.
        public init(
            _ sink: any AnalyticsSink, abilities: Set<Ability> = Set(Ability.allCases),
            arrivals: @escaping @Sendable () async throws -> [Arrival],
            set: @escaping @Sendable (Condition) async throws -> Void = { _ in },
            read: @escaping @Sendable (TrackedEvent) -> JSONValue = { $0.json }
        ) {
            self.sink = sink
            self.abilities = abilities
            self.arrivals = arrivals
            self.set = set
            self.read = read
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = taking + refusing + sizes
}

// MARK: What the laws are written in

extension AnalyticsSinkLaws.Instance {
    /// Sends a batch, and ends a law's check if an event has no verdict of its own.
    func send(_ batch: [KeyedEvent]) async throws -> [Delivery.Verdict] {
        let verdicts = await sink.send(batch) { _ in true }
        try require(verdicts.count == batch.count, "\(batch.count) events have \(verdicts.count) verdicts")
        return verdicts
    }

    /// Sends a batch, and ends a law's check if an event of it is not delivered.
    func deliver(_ batch: [KeyedEvent]) async throws {
        let verdicts = try await send(batch)
        try require(verdicts.allSatisfy { $0 == .delivered }, "the verdicts are \(verdicts)")
    }

    /// Ends a law's check if anything but these events has arrived.
    func requireArrivals(_ batch: [KeyedEvent]) async throws {
        let found = try await arrivals().map(\.content)
        let expected = batch.map { read($0.event) }
        try require(found == expected, "\(found) arrived of \(expected)")
    }
}

extension Delivery.Verdict {
    /// Whether the event is sent again without a decision of a person.
    var isLater: Bool {
        switch self {
        case .retry, .rateLimited, .offline: true
        case .delivered, .needsAuthentication, .conflict, .rejected: false
        }
    }
}
