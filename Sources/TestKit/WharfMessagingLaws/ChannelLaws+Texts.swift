internal import WharfChecks
internal import WharfCore
internal import WharfMessaging

extension ChannelLaws {
    private static let writings: Generator<(String, String, String)> = .zip(
        .string(), .string(count: 0...48), .string())

    static let texts: [Law<Subject>] = [
        Law("a channel has a name, the same for each instance") { subject in
            let names = [try await subject.make().channel.name, try await subject.make().channel.name]
            try require(!names[0].isEmpty && names[0] == names[1], "the names are \(names)")
        },
        Law("a plain message is delivered") { subject in
            let it = try await subject.make()
            let verdict = await it.channel.deliver(it.part("k1", name: "Ada Lovelace"))
            try require(verdict == .delivered, "it answered \(verdict)")
        },
        Law("any text arrives once and as it was, at its address, or it is rejected and does not arrive", for: writings)
        {
            subject, writing in
            let it = try await subject.make()
            let part = it.part("k1", title: writing.0, body: writing.1, name: writing.2)
            let verdict = await it.channel.deliver(part)
            let arrivals = try await it.arrivals()
            switch verdict {
            case .delivered:
                let arrival = try require(
                    arrivals.count == 1 ? arrivals.first : nil, "it arrived \(arrivals.count) times")
                let (title, body) = it.read(part)
                try require(arrival.address == part.address, "it arrived at \(arrival.address.debugDescription)")
                try require(same(arrival.title, title), "the title arrived as \(arrival.title.debugDescription)")
                try require(same(arrival.body, body), "the body arrived as \(arrival.body.debugDescription)")
            // A text that a channel can't carry may be refused, but not be altered or sent in part.
            case .rejected: try require(arrivals.isEmpty, "it was rejected, and arrived")
            default: throw FailedRequirement(found: "it answered \(verdict)")
            }
        },
        Law("a body as long as its limit arrives as it was") { subject in
            let it = try await subject.make()
            guard let limit = it.channel.limits.body else { return }
            let part = it.part("k1", body: String(repeating: "a", count: limit.length))
            let verdict = await it.channel.deliver(part)
            try require(verdict == .delivered, "it answered \(verdict)")
            let bodies = try await it.arrivals().map(\.body)
            try require(bodies == [it.read(part).body], "\(bodies.map(\.count)) arrived of \(limit.length)")
        },
    ]

    /// Compares scalars. `==` of strings would accept another normalisation form.
    private static func same(_ a: String, _ b: String) -> Bool { a.unicodeScalars.elementsEqual(b.unicodeScalars) }
}
