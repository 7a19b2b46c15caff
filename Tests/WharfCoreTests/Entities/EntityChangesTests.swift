import Testing

@testable import WharfCore

/// One reader's place, where what has changed is taken without waiting.
@Suite struct EntityChangesTests {
    private let subscription = EntityChanges.Subscription {}
    private let key = EntityKey(kind: "note", id: "1")

    @Test func whatIsBeingReadIsPendingUntilItHasBeen() {
        let changes = EntityChanges(subscription)
        subscription.add(.keys([key]))
        var read: [EntityChanges.Element] = []
        changes.takePending { element in
            // Who asks now must not believe that memory is up to date.
            #expect(changes.pendingFlag.isSet)
            read.append(element)
        }
        #expect(read == [.keys([key])])
        #expect(!changes.pendingFlag.isSet)
    }

    @Test func whatComesMeanwhileStaysPending() {
        let changes = EntityChanges(subscription)
        subscription.add(.all)
        changes.takePending { _ in subscription.add(.keys([key])) }
        #expect(changes.pendingFlag.isSet)
        var last: EntityChanges.Element?
        changes.takePending { last = $0 }
        #expect(last == .keys([key]))
    }

    @Test func nothingIsReadWhereNothingHasChanged() {
        EntityChanges(subscription).takePending { _ in Issue.record("expected no call") }
    }
}
