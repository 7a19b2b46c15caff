public import WharfChecks
public import WharfCore
internal import WharfRandom

/// The laws of ``Destination``.
///
/// ```swift
/// @Test(arguments: DestinationLaws.all)
/// func courierKeeps(law: Law<DestinationLaws.Subject>) async throws {
///     try await law.check(.init("Courier") {
///         let depot = FakeDepot()
///         let receiver = DestinationLaws.Receiver(
///             kind: .init("parcel"), payload: { Array("parcel \($0)".utf8) },
///             arrivals: { depot.parcels.map { .init(key: $0.key, bytes: $0.bytes) } },
///             set: { depot.condition = $0 })
///         return .init(Courier(depot), at: receiver)
///     })
/// }
/// ```
///
/// A destination of batches keeps ``BatchDestinationLaws`` too.
public enum DestinationLaws {
    /// A destination under test, as a closure that makes a new one.
    public typealias Subject = Conformer<Instance>

    /// The state of the receiver that a destination sends to.
    public enum Condition: Hashable, Sendable, CaseIterable {
        /// The receiver accepts each entry.
        case working
        /// The receiver can't accept entries now.
        case busy
        /// The receiver accepts no entry of this sender, now or later.
        case refusing
        /// The receiver does not answer and stores nothing until the sender is cancelled.
        case silent
    }

    /// An entry as the receiver got it.
    public struct Arrival: Hashable, Sendable {
        /// The key by which the receiver deduplicates; nil if the destination sends none.
        public var key: String?
        /// The content without parts that differ by attempt, such as a count of retries.
        public var bytes: [UInt8]

        /// Creates an arrival.
        public init(key: String?, bytes: [UInt8]) {
            self.key = key
            self.bytes = bytes
        }
    }

    /// A running destination, with its receiver.
    public struct Instance: Sendable {
        let destination: any Destination
        let receiver: Receiver

        /// Creates an instance.
        public init(_ destination: any Destination, at receiver: Receiver) {
            self.destination = destination
            self.receiver = receiver
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = deliveries + failures + rewriting
}

extension DestinationLaws {
    /// The receiver of a destination: payloads for it, arrivals and its condition.
    public struct Receiver: Sendable {
        let kind: OutboxEntry.Kind
        let payload: @Sendable (Int) throws -> [UInt8]
        let arrivals: @Sendable () async throws -> [Arrival]
        let set: @Sendable (Condition) async -> Void
        /// A payload that the destination can't read; nil if it accepts any bytes.
        public var unreadable: [UInt8]?
        /// Returns a payload with three temporary ids; nil if payloads have none.
        ///
        /// The payload has the ids in this order.
        public var naming: (@Sendable (_ ids: [String]) throws -> [UInt8])?
        /// The texts that no message may contain, such as the credential.
        public var secrets: [String] = []
        /// The conditions that a test can set; all of them by default.
        public var conditions = Set(Condition.allCases)
        /// Returns the bytes of an arrival for a payload; by default the payload itself.
        public var read: @Sendable (_ payload: [UInt8]) throws -> [UInt8] = { $0 }

        /// Creates a receiver in the condition ``Condition/working``.
        ///
        /// - Parameters:
        ///   - kind: a kind that the destination delivers.
        ///   - payload: returns a payload of the kind, a different one for each number from 0 on.
        ///   - arrivals: returns the entries that the receiver has accepted, in order.
        ///   - set: changes the condition for later deliveries.
        public init(
            kind: OutboxEntry.Kind, payload: @escaping @Sendable (_ number: Int) throws -> [UInt8],
            arrivals: @escaping @Sendable () async throws -> [Arrival],
            set: @escaping @Sendable (Condition) async -> Void
        ) {
            self.kind = kind
            self.payload = payload
            self.arrivals = arrivals
            self.set = set
        }

        /// Returns the entry with a number.
        ///
        /// - Parameter payload: the payload; nil for that of the number.
        func entry(_ number: Int, to destination: String, payload: [UInt8]? = nil) throws -> OutboxEntry {
            var random = SeededGenerator(seed: UInt64(number) + 1)
            let now = WallTime(secondsSince1970: 1_000_000_000 + Int64(number))
            return OutboxEntry(
                id: OutboxEntry.ID(at: now, using: &random), lane: "lane", kind: kind,
                payload: try payload ?? self.payload(number), targets: .all(destination), enqueuedAt: now)
        }

        /// Returns the bytes of arrivals for entries.
        func read(_ entries: [OutboxEntry]) throws -> [[UInt8]] { try entries.map { try read($0.payload) } }

        /// Ends the law if anything but the entries has arrived.
        ///
        /// - Parameter isOrdered: whether the order counts.
        func requireArrivals(_ entries: [OutboxEntry], isOrdered: Bool = true) async throws {
            func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(200), as: UTF8.self) }
            var expected = try read(entries)
            var found = try await arrivals().map(\.bytes)
            if !isOrdered {
                expected.sort { $0.lexicographicallyPrecedes($1) }
                found.sort { $0.lexicographicallyPrecedes($1) }
            }
            try require(found == expected, "\(found.map(text)) arrived of \(expected.map(text))")
        }
    }
}

extension DestinationLaws.Instance {
    func entry(_ number: Int) throws -> OutboxEntry { try receiver.entry(number, to: destination.name) }

    /// Returns the verdicts in each condition of failure, and on an unreadable entry.
    func failures() async throws -> [Delivery.Verdict] {
        var verdicts: [Delivery.Verdict] = []
        for condition in [DestinationLaws.Condition.busy, .refusing]
        where receiver.conditions.contains(condition) {
            await receiver.set(condition)
            verdicts.append(await destination.deliver(try entry(1)).verdict)
        }
        await receiver.set(.working)
        if let unreadable = receiver.unreadable {
            let entry = try receiver.entry(2, to: destination.name, payload: unreadable)
            verdicts.append(await destination.deliver(entry).verdict)
        }
        return verdicts
    }
}

extension Delivery.Verdict {
    /// Whether the entry is sent again without a decision of a person.
    var isLater: Bool {
        switch self {
        case .retry, .rateLimited, .offline: true
        case .delivered, .needsAuthentication, .conflict, .rejected: false
        }
    }
}
