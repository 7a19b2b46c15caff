internal import WharfChecks
internal import WharfCore
internal import WharfMessaging

extension ChannelLaws {
    static let attempts: [Law<Subject>] = [
        Law("the same part is the same on each attempt") { subject in
            let it = try await subject.make()
            for _ in 0..<2 { _ = await it.channel.deliver(it.part("k1")) }
            let arrivals = try await it.arrivals()
            try require(arrivals.count == 2, "of two attempts \(arrivals.count) arrived")
            try require(arrivals[0] == arrivals[1], "it arrived as \(arrivals[0]), and then as \(arrivals[1])")
        },
        Law("each part has a key of its own, or none has one") { subject in
            let it = try await subject.make()
            // Keys that differ in a part, in case, or in characters that a careless escape drops.
            let keys = ["k1", "k1.1of2", "k1.2of2", "K1", "k 1", "k/1", "k\"1", "ä"]
            for (index, key) in keys.enumerated() { _ = await it.channel.deliver(it.part(key, body: "\(index)")) }
            let arrived = try await it.arrivals().map(\.key)
            if arrived.allSatisfy({ $0 == nil }) { return }
            try require(Set(arrived).count == keys.count && !arrived.contains(nil), "of \(keys) came \(arrived)")
        },
        Law("a part for a busy receiver is retried, and arrives when the receiver works") { subject in
            let it = try await subject.make()
            guard it.conditions.contains(.busy) else { return }
            await it.set(.busy)
            let verdict = await it.channel.deliver(it.part("k1"))
            switch verdict {
            case .retry, .rateLimited, .offline: break
            default: throw FailedRequirement(found: "it answered \(verdict)")
            }
            var count = try await it.arrivals().count
            try require(count == 0, "it arrived where nothing could")
            await it.set(.working)
            let second = await it.channel.deliver(it.part("k1"))
            count = try await it.arrivals().count
            try require(second == .delivered && count == 1, "then it answered \(second), and \(count) arrived")
        },
        Law("a part that the receiver refuses for good is rejected, and does not arrive") { subject in
            let it = try await subject.make()
            guard it.conditions.contains(.refusing) else { return }
            await it.set(.refusing)
            let verdict = await it.channel.deliver(it.part("k1"))
            guard case .rejected = verdict else { throw FailedRequirement(found: "it answered \(verdict)") }
            let count = try await it.arrivals().count
            try require(count == 0, "it arrived all the same")
        },
        Law("parts on their way at the same time arrive each by itself") { subject in
            let it = try await subject.make()
            let parts = (0..<20).map { it.part("k\($0)", title: "t\($0)", body: "b\($0)") }
            let verdicts = await withTaskGroup(of: Delivery.Verdict.self) { group in
                for part in parts { group.addTask { await it.channel.deliver(part) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try require(verdicts.allSatisfy { $0 == .delivered }, "it answered \(verdicts)")
            let arrived = try await it.arrivals().map { "\($0.title) \($0.body)" }.sorted()
            let sent = parts.map { "\(it.read($0).title) \(it.read($0).body)" }.sorted()
            try require(arrived == sent, "\(arrived) arrived of \(sent)")
        },
    ]
}
