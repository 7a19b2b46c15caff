internal import WharfAnalytics
internal import WharfChecks
internal import WharfCore
internal import WharfJSON

extension AnalyticsSinkLaws {
    static let refusing: [Law<Subject>] = [
        Law("events for a busy receiver are sent later, and arrive then") { subject in
            let it = try await subject.make()
            guard it.abilities.contains(.beingBusy) else { return }
            let batch = SampleEvents.batch(60..<60 + min(3, max(1, it.sink.limits.entries)))
            try await it.set(.busy)
            let first = try await it.send(batch)
            try require(first.allSatisfy(\.isLater), "the verdicts are \(first)")
            try await it.set(.working)
            try await it.requireArrivals([])
            try await it.deliver(batch)
            try await it.requireArrivals(batch)
        },
        Law("an event that the receiver never takes is rejected") { subject in
            let it = try await subject.make()
            guard it.abilities.contains(.refusing) else { return }
            let batch = SampleEvents.batch(70..<71)
            try await it.set(.refusing(Set(batch.map(\.event.id))))
            let verdicts = try await it.send(batch)
            guard case .rejected(let failure) = verdicts[0] else {
                throw FailedRequirement(found: "the verdict is \(verdicts)")
            }
            try require(!failure.message.isEmpty, "the failure has no message")
            try await it.requireArrivals([])
        },
        Law("a rejected event does not reject another event of its batch") { subject in
            let size = try await subject.make().sink.limits.entries
            // Each place in turn: a sink that pairs verdicts by position may fail at the ends only.
            for place in 0..<5 where size >= 5 {
                let it = try await subject.make()
                guard it.abilities.contains(.refusingSome) else { return }
                var batch = SampleEvents.batch(80..<85)
                try await it.set(.refusing([batch[place].event.id]))
                let verdicts = try await it.send(batch)
                guard case .rejected = verdicts[place] else {
                    throw FailedRequirement(found: "its verdict is \(verdicts[place])")
                }
                let others = verdicts.indices.filter { $0 != place }.map { verdicts[$0] }
                try require(others.allSatisfy { $0 == .delivered }, "the verdicts of the others are \(others)")
                batch.remove(at: place)
                try await it.requireArrivals(batch)
            }
        },
    ]

    static let sizes: [Law<Subject>] = [
        Law("a size is the same each time, and grows with the event") { subject in
            let sink = try await subject.make().sink
            var last: EventSize?
            for length in [0, 1, 2, 100, 10_000] {
                let event = SampleEvents.event(0, text: String(repeating: "a", count: length))
                let size = sink.size(of: event)
                try require(size == sink.size(of: event), "the size of one event differs each time")
                if let last {
                    let found = try require(size, "a small event has a size, and a larger one has none")
                    try require(found.limit == last.limit, "the limit is \(last.limit), and then \(found.limit)")
                    try require(found.bytes > last.bytes, "\(last.bytes) bytes, and \(found.bytes) of a larger event")
                } else if length > 0 {
                    try require(size == nil, "a small event has no size, and a larger one has one")
                }
                last = size
            }
        },
        Law("an event as large as the limit is taken") { subject in
            let it = try await subject.make()
            guard let small = it.sink.size(of: SampleEvents.event(90, text: "")) else { return }
            // A larger event does not occur in practice, and would not fit into memory.
            guard (small.bytes...8 << 20).contains(small.limit) else { return }
            let text = String(repeating: "a", count: small.limit - small.bytes)
            let batch = [KeyedEvent(SampleEvents.event(90, text: text), key: IdempotencyKey("large"))]
            try await it.deliver(batch)
            try await it.requireArrivals(batch)
        },
    ]
}
