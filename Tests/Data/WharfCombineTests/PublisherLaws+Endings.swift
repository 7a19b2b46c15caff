import WharfChecks
import WharfCombine
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

extension PublisherLaws {
    static let endings = [
        cancelEndsObservation, cancelWhileRestingEndsObservation, cancelBeforeDemandIsTheEnd, cancelFromWithin,
        everySubscriberHasItsOwn, lettingGoLetsGo, theEndLetsGo,
    ]

    static let cancelEndsObservation = Law<Subject>("a cancelled subscription observes no more and says no more") {
        subject in
        let feed = Feed()
        let recorder = NameRecorder(.unlimited)
        subject.make(feed).subscribe(recorder)
        try await feed.readers(1)
        feed.send("a")
        try await recorder.events(1)
        recorder.cancel()
        recorder.cancel()
        recorder.request(.unlimited)
        feed.send("b")
        try await feed.readers(0)
        try require(recorder.values == ["a"] && recorder.ends.isEmpty, "it got \(recorder.values), \(recorder.ends)")
    }

    static let cancelWhileRestingEndsObservation = Law<Subject>("cancelling ends what rests for want of demand") {
        subject in
        let feed = Feed()
        let recorder = NameRecorder(.max(1))
        subject.make(feed).subscribe(recorder)
        try await feed.readers(1)
        feed.send("a")
        try await recorder.events(1)
        await settle()
        try require(feed.readers == 1, "it left for want of demand")
        recorder.cancel()
        try await feed.readers(0)
        recorder.request(.max(1))
        await settle()
        try require(feed.subscriptions == 1, "it came back after it was cancelled")
        try require(recorder.values == ["a"] && recorder.ends.isEmpty, "it got \(recorder.values), \(recorder.ends)")
    }

    static let cancelBeforeDemandIsTheEnd = Law<Subject>("demand after cancelling begins nothing") { subject in
        let feed = Feed()
        let recorder = NameRecorder()
        subject.make(feed).subscribe(recorder)
        recorder.cancel()
        recorder.request(.unlimited)
        await settle()
        try require(feed.subscriptions == 0, "\(feed.subscriptions) observers")
        try require(recorder.ends.isEmpty, "it ended with \(recorder.ends)")
    }

    static let cancelFromWithin = Law<Subject>("a subscriber may cancel while it takes a value") { subject in
        let feed = Feed()
        let recorder = NameRecorder(.unlimited) { _, recorder in
            recorder.cancel()
            return .unlimited
        }
        subject.make(feed).subscribe(recorder)
        try await feed.readers(1)
        feed.send("a")
        try await recorder.events(1)
        feed.send("b")
        try await feed.readers(0)
        try require(recorder.values == ["a"] && recorder.ends.isEmpty, "it got \(recorder.values), \(recorder.ends)")
    }

    static let everySubscriberHasItsOwn = Law<Subject>("each subscriber has a subscription of its own") { subject in
        let feed = Feed()
        let publisher = subject.make(feed)
        let (leaving, staying) = (NameRecorder(.unlimited), NameRecorder(.unlimited))
        publisher.subscribe(leaving)
        try await feed.readers(1)
        publisher.subscribe(staying)
        try await feed.readers(2)
        leaving.cancel()
        try await feed.readers(1)
        feed.send("a")
        try await staying.events(1)
        try require(staying.values == ["a"] && leaving.values.isEmpty, "\(staying.values), \(leaving.values)")
        staying.cancel()
    }

    static let lettingGoLetsGo = Law<Subject>("letting go of the token frees all there is and ends the observation") {
        subject in
        final class Screen: Sendable {}
        let feed = Feed()
        weak var shown: Screen?
        do {
            let screen = Screen()
            shown = screen
            let token = subject.make(feed).sink { _ in
                withExtendedLifetime(screen) {}
            } receiveValue: { _ in
                withExtendedLifetime(screen) {}
            }
            try await feed.readers(1)
            token.cancel()
        }
        try await feed.readers(0)
        try await feed.until("what the closures hold to be let go") { shown == nil }
    }

    static let theEndLetsGo = Law<Subject>("a subscriber that keeps its subscription is free after the end") {
        subject in
        let feed = Feed()
        weak var gone: NameRecorder?
        do {
            let recorder = NameRecorder(.unlimited)
            gone = recorder
            subject.make(feed).subscribe(recorder)
            try await feed.readers(1)
            feed.finish()
            try await recorder.events(1)
        }
        try await feed.until("the subscriber to be let go") { gone == nil }
    }
}
