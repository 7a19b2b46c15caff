import Testing
import WharfCore

@testable import WharfMessaging

@Suite struct DeliveredPartsTests {
    @Test func oldestAcceptedPartsAreForgottenFirst() {
        var taken = DeliveredParts(limit: 2)
        for key in ["a", "a", "b", "c"] { taken.add(.init(key), of: 9) }
        #expect(["a", "b", "c"].map { taken.count(of: .init($0)) } == [0, 1, 1])
        taken.add(.init("d"), of: 9)
        taken.add(.init("d"), of: 9)
        #expect(["b", "c", "d"].map { taken.count(of: .init($0)) } == [0, 1, 2])
    }

    @Test func incompleteMessageOutlastsCompleteOnes() {
        var taken = DeliveredParts(limit: 2)
        taken.add(.init("long"), of: 3)
        for key in ["a", "b", "c"] { taken.add(.init(key), of: 1) }
        #expect(["long", "a", "b", "c"].map { taken.count(of: .init($0)) } == [1, 0, 1, 1])
        for _ in 0..<2 { taken.add(.init("long"), of: 3) }
        #expect(["long", "b", "c"].map { taken.count(of: .init($0)) } == [3, 0, 1])
        // Old entries are evicted to make room.
        for key in ["x", "y"] { taken.add(.init(key), of: 2) }
        #expect(["long", "x", "y"].map { taken.count(of: .init($0)) } == [3, 1, 1])
    }
}
