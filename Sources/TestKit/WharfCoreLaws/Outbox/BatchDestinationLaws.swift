public import WharfChecks
public import WharfCore
internal import WharfFakes

/// The laws of ``BatchDestination``, in addition to ``DestinationLaws``.
///
/// ```swift
/// @Test(arguments: BatchDestinationLaws.all)
/// func truckKeeps(law: Law<BatchDestinationLaws.Subject>) async throws {
///     try await law.check(.init("Truck") {
///         let depot = FakeDepot()
///         return .init(Truck(depot), at: depot.receiver)
///     })
/// }
/// ```
public enum BatchDestinationLaws {
    /// A destination under test, as a closure that makes a new one.
    public typealias Subject = Conformer<Instance>

    /// A running destination of batches, with its receiver.
    public struct Instance: Sendable {
        let destination: any BatchDestination
        let receiver: DestinationLaws.Receiver
        let large: (@Sendable (Int) throws -> [UInt8])?

        /// Creates an instance.
        ///
        /// - Parameter large: returns a payload with at least this number of bytes; nil if payloads
        ///   can't be large.
        public init(
            _ destination: any BatchDestination, at receiver: DestinationLaws.Receiver,
            large: (@Sendable (_ bytes: Int) throws -> [UInt8])? = nil
        ) {
            self.destination = destination
            self.receiver = receiver
            self.large = large
        }

        func entries(_ numbers: Range<Int>) throws -> [OutboxEntry] {
            try numbers.map { try receiver.entry($0, to: destination.name) }
        }

        /// Delivers a batch, and ends the law if an entry has no answer of its own.
        func verdicts(_ batch: [OutboxEntry]) async throws -> [Delivery.Verdict] {
            let verdicts = await destination.deliver(batch).map(\.verdict)
            try require(verdicts.count == batch.count, "\(batch.count) entries have \(verdicts.count) answers")
            return verdicts
        }

        /// 1, 2, and the size of a full batch, but at most 20.
        var sizes: [Int] { Set([1, 2, 20].map { min($0, max(1, destination.limits.entries)) }).sorted() }
    }

    /// All laws.
    public static let all: [Law<Subject>] = [
        Law("a destination has limits of at least 1, the same for each instance") { subject in
            let limits = try await subject.make().destination.limits
            let next = try await subject.make().destination.limits
            try require(limits == next, "the limits are \(limits), and then \(next)")
            try require(limits.entries >= 1 && limits.bytes >= 1 && limits.wait >= .zero, "the limits are \(limits)")
        },
        Law("each entry of a batch is delivered, in order") { subject in
            for size in try await subject.make().sizes {
                let it = try await subject.make()
                let batch = try it.entries(0..<size)
                let verdicts = try await it.verdicts(batch)
                try require(verdicts.allSatisfy { $0 == .delivered }, "it answered \(verdicts)")
                try await it.receiver.requireArrivals(batch)
            }
        },
        Law("a batch of one is answered as its entry alone") { subject in
            for condition in [DestinationLaws.Condition.working, .busy, .refusing] {
                // Two instances, as one of them would know the entry the second time.
                let (it, other) = (try await subject.make(), try await subject.make())
                guard it.receiver.conditions.contains(condition) else { continue }
                for instance in [it, other] { await instance.receiver.set(condition) }
                let entry = try it.receiver.entry(0, to: it.destination.name)
                let alone = await it.destination.deliver(entry).verdict.name
                let batch = await other.destination.deliver([entry]).map(\.verdict.name)
                try require(batch == [alone], "while \(condition) it answered \(alone) alone, and \(batch) in a batch")
            }
        },
        Law("a batch for a busy receiver is sent later, as a whole") { subject in
            let it = try await subject.make()
            guard it.receiver.conditions.contains(.busy) else { return }
            await it.receiver.set(.busy)
            let batch = try it.entries(0..<min(3, it.destination.limits.entries))
            let first = await it.destination.deliver(batch).map(\.verdict)
            try require(first.allSatisfy(\.isLater), "it answered \(first)")
            try await it.receiver.requireArrivals([])
            await it.receiver.set(.working)
            _ = await it.destination.deliver(batch)
            try await it.receiver.requireArrivals(batch)
        },
        Law("an unreadable entry is rejected in its place, and no other is") { subject in
            guard try await subject.make().destination.limits.entries >= 3 else { return }
            for place in 0..<3 {
                let it = try await subject.make()
                guard let unreadable = it.receiver.unreadable else { return }
                var batch = try it.entries(0..<3)
                batch[place].payload = unreadable
                let verdicts = await it.destination.deliver(batch).map(\.verdict)
                for (index, verdict) in verdicts.enumerated() {
                    if index == place {
                        guard case .rejected = verdict else {
                            throw FailedRequirement(found: "it was answered by \(verdict)")
                        }
                    } else {
                        try require(verdict == .delivered || verdict.isLater, "a neighbour was answered by \(verdict)")
                    }
                }
                // A neighbour may have been put off, but an entry that is called delivered must
                // have arrived.
                let delivered = zip(batch, verdicts).filter { $0.1 == .delivered }.map(\.0)
                try await it.receiver.requireArrivals(delivered)
            }
        },
        Law("an entry that is larger than the limit is settled") { subject in
            let it = try await subject.make()
            // A larger limit is unlimited in practice, and the payload would not fit into memory.
            guard let large = it.large, it.destination.limits.bytes < 8 << 20 else { return }
            let payload = try large(it.destination.limits.bytes + 1)
            let entry = try it.receiver.entry(0, to: it.destination.name, payload: payload)
            let verdicts = await it.destination.deliver([entry]).map(\.verdict)
            switch verdicts.first {
            case .delivered: try await it.receiver.requireArrivals([entry])
            case .rejected: try await it.receiver.requireArrivals([])
            default: throw FailedRequirement(found: "it answered \(verdicts)")
            }
        },
    ]
}
