import Testing
import WharfCore

@testable import WharfRepository

/// Changes that wait for each other, and what they were made on.
@Suite struct PendingWritesTests {
    private let writes = PendingWrites()
    private let key = EntityKey(kind: "note", id: "1")

    private func begin(_ validator: String?, _ overlay: Overlay? = nil) -> UInt64 {
        writes.begin(key, overlay, isAddition: false, at: WallTime(nanoseconds: 0), validator: validator)
    }

    @Test func whatWasMadeOnTheSameIsMadeOnTheAnswerThen() {
        let (first, same, other) = (begin("a"), begin("a"), begin("b"))
        writes.end(first, key, delivered: .some("c"))
        #expect(writes.validator(of: same, key) == "c")
        #expect(writes.validator(of: other, key) == "b")
    }

    @Test func whatWasNotDeliveredChangesNothing() {
        let (first, same) = (begin("a"), begin("a"))
        writes.end(first, key)
        #expect(writes.validator(of: same, key) == "a")
    }

    @Test func whatIsNotShownIsNoNews() {
        let silent = begin("a")
        #expect(writes.isEmpty && !writes.changes.pendingFlag.isSet && !writes.listChanges.pendingFlag.isSet)
        let shown = begin("a", .deletion)
        #expect(!writes.isEmpty && writes.changes.pendingFlag.isSet && writes.listChanges.pendingFlag.isSet)
        #expect(writes.shown("1").writes.map(\.number) == [shown])
        writes.end(silent, key)
        writes.end(shown, key)
        #expect(writes.isEmpty && writes.shown("1").isEmpty)
    }

    @Test(arguments: [("\"a\"", "\"a\""), ("W/\"a\"", nil), (nil, nil)] as [(String?, String?)])
    func onlyAStrongEntityTagIsSentBack(tag: String?, validator: String?) {
        var head = HTTPResponse(status: .ok)
        head.headerFields[.eTag] = tag
        #expect(head.strongValidator == validator)
    }
}
