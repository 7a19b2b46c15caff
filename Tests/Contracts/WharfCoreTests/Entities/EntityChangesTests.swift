import Testing

@testable import WharfCore

/// One reader of changes, which takes the pending ones without waiting.
@Suite struct EntityChangesTests {
    private let subscription = EntityChanges.Subscription {}
    private let key = EntityKey(kind: "note", id: "1")

    @Test func changeIsPendingUntilItsReadEnds() {
        let changes = EntityChanges(subscription)
        subscription.add(.keys([key: StoreVersion(1)]))
        var read: [EntityChanges.Element] = []
        changes.takePending { element in
            // A reader that asks now must not take the memory for up to date.
            #expect(changes.pendingFlag.isSet)
            read.append(element.element)
        }
        #expect(read == [.keys([key])])
        #expect(!changes.pendingFlag.isSet)
    }

    @Test func changeDuringAReadStaysPending() {
        let changes = EntityChanges(subscription)
        subscription.add(.all(StoreVersion(1)))
        changes.takePending { _ in subscription.add(.keys([key: StoreVersion(1)])) }
        #expect(changes.pendingFlag.isSet)
        var last: EntityChanges.Element?
        changes.takePending { last = $0.element }
        #expect(last == .keys([key]))
    }

    @Test func newestVersionOfSeveralChangesIsTold() {
        let changes = EntityChanges(subscription)
        for version in [2, 5, 3] as [Int64] { subscription.add(.keys([key: StoreVersion(version)])) }
        changes.takePending { pending in
            if case .keys(let versions) = pending {
                #expect(versions == [key: StoreVersion(5)])
            } else {
                Issue.record("expected keys")
            }
        }
        subscription.add(.all(StoreVersion(7)))
        subscription.add(.keys([key: StoreVersion(9)]))
        changes.takePending { pending in
            if case .all(let version) = pending {
                #expect(version == StoreVersion(9))
            } else {
                Issue.record("expected all")
            }
        }
    }

    @Test func nothingIsReadWithoutAChange() {
        EntityChanges(subscription).takePending { _ in Issue.record("expected no call") }
    }
}
