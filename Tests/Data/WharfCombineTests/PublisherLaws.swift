import WharfChecks
import WharfCombine
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// The laws of every publisher of snapshots.
enum PublisherLaws {
    typealias Names = AnyPublisher<String, ReadFailure>
    typealias NameRecorder = Recorder<String, ReadFailure>

    /// Makes the publisher under test over a feed. It publishes the names.
    struct Subject: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable (Feed) -> Names

        init(_ description: String, make: @escaping @Sendable (Feed) -> Names) {
            self.description = description
            self.make = make
        }
    }

    static let all: [Law<Subject>] =
        [nothingWithoutDemand, oneAtATime, unlimitedDemand, demandByTaking, demandFromWithin] + endings

    static let nothingWithoutDemand = Law<Subject>("nobody observes until there is demand") { subject in
        let feed = Feed()
        let recorder = NameRecorder()
        let publisher = subject.make(feed)
        publisher.subscribe(recorder)
        recorder.request(.none)
        await settle()
        try require(feed.subscriptions == 0, "\(feed.subscriptions) observers")
        recorder.cancel()
    }

    static let oneAtATime = Law<Subject>("a slow subscriber gets as many as it asked for, and the newest") { subject in
        let feed = Feed()
        let recorder = NameRecorder(.max(1))
        subject.make(feed).subscribe(recorder)
        try await feed.readers(1)
        feed.send("a")
        try await recorder.events(1)
        for (name, newer) in [("b", "c"), ("d", "e")] {
            feed.send(name)
            await settle()
            feed.send(newer)
            await settle()
            let early = recorder.values
            try require(!early.contains(name) && !early.contains(newer), "without demand came \(early)")
            recorder.request(.max(1))
            try await recorder.events(early.count + 1)
        }
        try require(recorder.values == ["a", "c", "e"], "it got \(recorder.values)")
        recorder.request(.max(2))
        feed.send("f")
        try await recorder.events(4)
        feed.send("g")
        try await recorder.events(5)
        feed.send("h")
        await settle()
        try require(recorder.values == ["a", "c", "e", "f", "g"], "with demand for two it got \(recorder.values)")
        recorder.cancel()
    }

    static let unlimitedDemand = Law<Subject>("unlimited demand gets each, in order, and the end once") { subject in
        let feed = Feed()
        let recorder = NameRecorder(.unlimited)
        subject.make(feed).subscribe(recorder)
        try await feed.readers(1)
        let names = (0..<20).map(String.init)
        for (index, name) in names.enumerated() {
            feed.send(name)
            try await recorder.events(index + 1)
        }
        feed.finish()
        try await recorder.events(names.count + 1)
        await settle()
        try require(recorder.values == names, "it got \(recorder.values)")
        try require(recorder.ends == [nil], "it ended with \(recorder.ends)")
    }

    static let demandByTaking = Law<Subject>("what a subscriber returns from taking a value is demand") { subject in
        let feed = Feed()
        let recorder = NameRecorder(.max(1)) { name, _ in name == "c" ? .none : .max(1) }
        subject.make(feed).subscribe(recorder)
        try await feed.readers(1)
        for (index, name) in ["a", "b", "c"].enumerated() {
            feed.send(name)
            try await recorder.events(index + 1)
        }
        feed.send("d")
        await settle()
        try require(recorder.values == ["a", "b", "c"], "it got \(recorder.values)")
        recorder.cancel()
    }

    static let demandFromWithin = Law<Subject>("a subscriber may ask for more while it takes a value") { subject in
        let feed = Feed()
        let recorder = NameRecorder(.max(1)) { name, recorder in
            if name != "c" { recorder.request(.max(1)) }
            return .none
        }
        subject.make(feed).subscribe(recorder)
        try await feed.readers(1)
        for (index, name) in ["a", "b", "c"].enumerated() {
            feed.send(name)
            try await recorder.events(index + 1)
        }
        feed.send("d")
        await settle()
        try require(recorder.values == ["a", "b", "c"], "it got \(recorder.values)")
        recorder.cancel()
    }
}
