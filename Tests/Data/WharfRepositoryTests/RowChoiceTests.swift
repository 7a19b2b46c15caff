import Testing
import WharfCore
import WharfRandom
import WharfStorage

@testable import WharfRepository

/// The choice between two values for the store, one test per row of the table at ``Resolution``.
@Suite struct RowChoiceTests {
    private static func time(_ seconds: Int64) -> WallTime { WallTime(secondsSince1970: seconds) }

    private static func current(
        _ version: Int64, asOf seconds: Int64?, basis: Int64? = nil, request: UInt64? = nil
    ) -> StoredValue {
        StoredValue(
            version: StoreVersion(version), asOf: seconds.map(time), basis: basis.map { StoreVersion($0) },
            request: request)
    }

    private static func incoming(_ basis: Int64?, asOf seconds: Int64, request: UInt64? = nil) -> IncomingValue {
        IncomingValue(basis: basis.map { StoreVersion($0) }, request: request, asOf: time(seconds))
    }

    @Test func unchangedKeyTakesAnAnswerOfAnyAge() {
        let resolution = RowChoice.resolve(Self.current(3, asOf: 20, basis: 2), Self.incoming(3, asOf: 10))
        #expect(resolution == .incoming)
    }

    @Test func anAnswerFromBeforeARemovalDoesNotBringTheKeyBack() {
        #expect(RowChoice.resolve(Self.current(4, asOf: nil), Self.incoming(3, asOf: 90)) == .current)
        #expect(RowChoice.resolve(Self.current(4, asOf: nil), Self.incoming(4, asOf: 1)) == .incoming)
    }

    @Test(arguments: [(10, 20, RowChoice.current), (20, 20, .incoming), (30, 20, .incoming)])
    func aPushIsOrderedByItsTime(asOf: Int64, current: Int64, expected: RowChoice) {
        #expect(
            RowChoice.resolve(Self.current(4, asOf: current, basis: 1), Self.incoming(nil, asOf: asOf)) == expected)
        #expect(RowChoice.resolve(Self.current(4, asOf: current), Self.incoming(2, asOf: asOf)) == expected)
    }

    @Test func answerToLaterRequestStaysDespiteOlderDate() {
        let current = Self.current(4, asOf: 10, basis: 2, request: 8)
        #expect(RowChoice.resolve(current, Self.incoming(2, asOf: 30, request: 7)) == .current)
    }

    @Test func theAnswerToTheLaterRequestWinsUnlessItIsOlder() {
        let current = Self.current(4, asOf: 20, basis: 2, request: 7)
        #expect(RowChoice.resolve(current, Self.incoming(2, asOf: 20, request: 8)) == .incoming)
        #expect(RowChoice.resolve(current, Self.incoming(2, asOf: 19, request: 8)) == .current)
    }

    @Test func answerOfProcessWithNewerBasisStays() {
        #expect(RowChoice.resolve(Self.current(6, asOf: 10, basis: 5), Self.incoming(4, asOf: 30)) == .current)
        #expect(RowChoice.resolve(Self.current(6, asOf: 10, basis: 3), Self.incoming(4, asOf: 30)) == .incoming)
    }

    @Test func firstAnswerStaysIfBasisAndDateAreEqual() {
        #expect(RowChoice.resolve(Self.current(6, asOf: 10, basis: 4), Self.incoming(4, asOf: 10)) == .current)
    }

    @Test func aDeliveredChangeBeatsEachAnswerThatWasAskedForBefore() {
        let key = EntityKey(kind: "note", id: "1")
        var row = EntityRow(key: key, bytes: [], asOf: Self.time(10))
        row.basis = EntityRow.deliveredBasis
        let delivered = StoredValue(EntityState(row: row, version: StoreVersion(6)), request: nil)
        #expect(RowChoice.resolve(delivered, Self.incoming(5, asOf: 90, request: 3)) == .current)
        #expect(RowChoice.resolve(delivered, Self.incoming(6, asOf: 5, request: 4)) == .incoming)
    }

    /// Overlapping requests of one process end in the same value, in every order of their answers.
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func answersInAnyOrderEndInTheSameValue(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // The service answers later requests with later times.
        let answers = (1...5 as ClosedRange<UInt64>).map { request in
            Self.incoming(0, asOf: Int64(request / 2), request: request)
        }
        let last = answers.shuffled(using: &random).enumerated().reduce(nil as StoredValue?) { current, next in
            let (index, answer) = next
            if let current, RowChoice.resolve(current, answer) == .current { return current }
            return StoredValue(
                version: StoreVersion(Int64(index + 1)), asOf: answer.asOf, basis: answer.basis, request: answer.request
            )
        }
        #expect(last?.request == 5)
    }
}
