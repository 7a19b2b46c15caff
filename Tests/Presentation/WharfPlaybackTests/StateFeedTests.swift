import Testing
import WharfPlayback

struct StateFeedTests {
    @Test func lateOrSlowReaderGetsTheLastStateAndTheEnd() async {
        let feed = StateFeed(0)
        let early = feed.states()
        for number in 1...5 { feed.update(number) }
        let late = feed.states()
        feed.update(6)
        feed.finish()
        feed.update(7)
        for states in [early, late] {
            var reported: [Int] = []
            for await number in states { reported.append(number) }
            #expect(reported == [6])
        }
        for await number in feed.states() { Issue.record("told \(number) after the end") }
    }

    @Test func theSequencesEndWithTheFeed() async throws {
        var feed: StateFeed<Int>? = StateFeed(0)
        let states = try #require(feed?.states())
        feed = nil
        var reported: [Int] = []
        for await number in states { reported.append(number) }
        #expect(reported == [0])
    }

    @Test func equalStateIsNotDeliveredAgain() async {
        let feed = StateFeed(0)
        var states = feed.states().makeAsyncIterator()
        #expect(await states.next() == 0)
        feed.update(0)
        feed.update(1)
        #expect(await states.next() == 1)
    }

    /// An observer that stops and a writer that notifies take the same two locks in opposite
    /// orders. A deadlock would not end by any time limit.
    @Test func cancellationRacingAnUpdateDoesNotDeadlock() async {
        let feed = StateFeed(0)
        for number in 1...500 {
            let (received, hears) = AsyncStream.makeStream(of: Void.self)
            let reader = Task { [states = feed.states()] in
                for await _ in states { hears.yield() }
            }
            for await _ in received { break }
            await withTaskGroup { group in
                group.addTask { feed.update(number) }
                group.addTask { reader.cancel() }
            }
            await reader.value
        }
    }
}
