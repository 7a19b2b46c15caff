internal import Synchronization
internal import WharfChecks
internal import WharfCore

extension DestinationLaws {
    static let deliveries: [Law<Subject>] = [
        Law("a destination has a name and kinds, the same for each instance") { subject in
            let it = try await subject.make()
            let next = try await subject.make().destination
            let (name, kinds) = (it.destination.name, it.destination.kinds)
            try require(!name.isEmpty && name == next.name, "the names are \([name, next.name])")
            try require(kinds == next.kinds, "the kinds are \(kinds.sorted()), and then \(next.kinds.sorted())")
            try require(kinds.contains(it.receiver.kind.name), "\(it.receiver.kind) is none of \(kinds.sorted())")
        },
        Law("an entry that is delivered has arrived once, with its payload") { subject in
            let it = try await subject.make()
            for number in 0..<3 {
                let verdict = await it.destination.deliver(try it.entry(number)).verdict
                try require(verdict == .delivered, "it answered \(verdict)")
                try await it.receiver.requireArrivals(try (0...number).map(it.entry))
            }
        },
        Law("each attempt carries the same key and bytes") { subject in
            let it = try await subject.make()
            let entry = try it.entry(1)
            for attempt in 1...3 {
                let verdict = await it.destination.deliver(entry, attempt: attempt).verdict
                try require(verdict == .delivered, "it answered \(verdict) to attempt \(attempt)")
            }
            // A destination may know that the receiver already has the entry, and then sends it
            // once.
            let arrivals = try await it.receiver.arrivals()
            let first = try require(arrivals.first, "nothing arrived")
            try require(arrivals.allSatisfy { $0 == first }, "attempts arrived as \(arrivals)")
        },
        Law("each entry has a key of its own, or none has one") { subject in
            let it = try await subject.make()
            let payload = try it.receiver.payload(0)
            for number in 0..<8 {
                let entry = try it.receiver.entry(number, to: it.destination.name, payload: payload)
                _ = await it.destination.deliver(entry)
            }
            let keys = try await it.receiver.arrivals().map(\.key)
            if keys.allSatisfy({ $0 == nil }) { return }
            try require(!keys.contains(nil) && Set(keys).count == 8, "8 entries arrived with the keys \(keys)")
        },
        Law("entries on their way at the same time arrive each by itself") { subject in
            let it = try await subject.make()
            let entries = try (10..<30).map(it.entry)
            let verdicts = await withTaskGroup(of: Delivery.Verdict.self) { group in
                for entry in entries { group.addTask { await it.destination.deliver(entry).verdict } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try require(verdicts.allSatisfy { $0 == .delivered }, "it answered \(verdicts)")
            try await it.receiver.requireArrivals(entries, isOrdered: false)
        },
        Law("a cancelled delivery ends, and succeeds only if the entry has arrived") { subject in
            let it = try await subject.make()
            guard it.receiver.conditions.contains(.silent) else { return }
            let entry = try it.entry(1)
            await it.receiver.set(.silent)
            let end = Ending()
            let delivery = Task { end.set(await it.destination.deliver(entry).verdict) }
            await letOthersRun()
            delivery.cancel()
            let hasEnded = await comesTrue { end.verdict != nil }
            try require(hasEnded, "it went on after it was cancelled")
            let count = try await it.receiver.arrivals().count
            // A cancelled delivery may have arrived or not; only a false "delivered" loses an
            // entry.
            try require(end.verdict != .delivered || count == 1, "it was delivered, and \(count) arrived")
        },
    ]
}

/// The verdict on a delivery in another task, once there is one.
private final class Ending: Sendable {
    private let state = Mutex<Delivery.Verdict?>(nil)

    var verdict: Delivery.Verdict? { state.withLock { $0 } }

    func set(_ verdict: Delivery.Verdict) { state.withLock { $0 = verdict } }
}
