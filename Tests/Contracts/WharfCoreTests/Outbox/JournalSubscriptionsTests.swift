import Testing
import WharfCore

@Suite struct JournalSubscriptionsTests {
    @Test func unreadNewsIsCoalescedIntoOne() async {
        let subscriptions = JournalSubscriptions()
        let news = subscriptions.subscribe()
        for _ in 0..<3 { subscriptions.tell() }
        subscriptions.finish()
        var count = 0
        for await _ in news { count += 1 }
        #expect(count == 1)
    }

    @Test func afterItsEndSubscriptionsHaveEnded() async {
        let subscriptions = JournalSubscriptions()
        subscriptions.finish()
        subscriptions.tell()
        for await _ in subscriptions.subscribe() { Issue.record("heard of something") }
    }
}
