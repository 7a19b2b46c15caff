internal import WharfAnalytics
internal import WharfChecks
internal import WharfCore

extension AnalyticsSinkLaws {
    static let taking: [Law<Subject>] = [
        Law("a sink has a name and limits of at least 1, the same for each instance") { subject in
            let (it, next) = (try await subject.make().sink, try await subject.make().sink)
            try require(!it.name.isEmpty && it.name == next.name, "the names are \([it.name, next.name])")
            try require(it.limits == next.limits, "the limits are \(it.limits), and then \(next.limits)")
            let limits = it.limits
            try require(limits.entries >= 1 && limits.bytes >= 1 && limits.wait >= .zero, "the limits are \(limits)")
        },
        Law("each event of a batch arrives complete and in order") { subject in
            let limit = max(1, try await subject.make().sink.limits.entries)
            for size in Set([1, 2, 20].map { min($0, limit) }).sorted() {
                let it = try await subject.make()
                let batch = SampleEvents.batch(0..<size)
                try await it.deliver(batch)
                try await it.requireArrivals(batch)
            }
        },
        Law("the same batch is the same to the receiver each time") { subject in
            let it = try await subject.make()
            let batch = SampleEvents.batch(30..<30 + min(3, max(1, it.sink.limits.entries)))
            for _ in 0..<2 { try await it.deliver(batch) }
            let arrivals = try await it.arrivals()
            try require(arrivals.count == 2 * batch.count, "\(arrivals.count) events arrived, not 2 × \(batch.count)")
            let (first, second) = (arrivals.prefix(batch.count), arrivals.suffix(batch.count))
            try require(first.elementsEqual(second), "\(Array(first)) arrived, and then \(Array(second))")
        },
        Law("each batch has a key of its own, or none has one") { subject in
            let it = try await subject.make()
            for number in 0..<6 {
                // The same event each time, so only the key of the batch can differ.
                try await it.deliver([KeyedEvent(SampleEvents.event(40), key: IdempotencyKey("key-\(number)"))])
            }
            let keys = try await it.arrivals().map(\.key)
            if keys.allSatisfy({ $0 == nil }) { return }
            try require(!keys.contains(nil) && Set(keys).count == 6, "6 batches arrived with the keys \(keys)")
        },
        Law("an event whose consent was withdrawn is not sent, and gets a retry") { subject in
            let it = try await subject.make()
            guard it.abilities.contains(.askingForConsent) else { return }
            let batch = SampleEvents.batch(50..<50 + min(3, max(1, it.sink.limits.entries)))
            let verdicts = await it.sink.send(batch) { _ in false }
            let areRetries = verdicts.allSatisfy { if case .retry = $0 { true } else { false } }
            try require(verdicts.count == batch.count && areRetries, "the verdicts are \(verdicts)")
            try await it.requireArrivals([])
        },
    ]
}
