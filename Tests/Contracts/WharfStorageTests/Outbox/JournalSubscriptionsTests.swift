import Testing
import WharfCore
import WharfStorage

@Suite struct JournalSubscriptionsTests {
    @Test func unreadNewsIsCoalescedIntoOne() async {
        let subscriptions = JournalSubscriptions()
        let notifications = subscriptions.subscribe()
        for _ in 0..<3 { subscriptions.tell() }
        subscriptions.finish()
        var count = 0
        for await _ in notifications { count += 1 }
        #expect(count == 1)
    }

    @Test func afterItsEndSubscriptionsHaveEnded() async {
        let subscriptions = JournalSubscriptions()
        subscriptions.finish()
        subscriptions.tell()
        for await _ in subscriptions.subscribe() { Issue.record("heard of something") }
    }
}
