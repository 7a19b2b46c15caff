internal import Benchmark
internal import Comparisons
internal import Turns
internal import WharfPresentation

let benchmarks: @Sendable () -> Void = {
    let (small, middle, large) = (Edited(count: 5_000), Edited(count: 25_000), Edited(count: 100_000))
    Benchmark.compares([
        Way(.list5000) { blackHole(small.changes()) },
        Way(.list5000Standard) { blackHole(small.standard()) },
        Way(.list25000) { blackHole(middle.changes()) },
        Way(.list100000) { blackHole(large.changes()) },
    ]) {
        try small.check()
    }
    Benchmark.compares(
        [Way(.listOnce) { blackHole(large.changes()) }, Way(.listOnceStandard) { blackHole(large.standard()) }],
        rounds: 1
    ) {
        try large.check()
    }
}

struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    let text: String
}

/// A list before and after an edit.
///
/// A fifth of its rows are deleted, a twenty-fifth moved, and a hundredth get another text. As many
/// rows as were deleted are inserted at random places.
struct Edited: Sendable {
    let old: [Row]
    let new: [Row]
    private let oldIDs: [Int]
    private let newIDs: [Int]

    init(count: Int) {
        var random = Steps()
        let shuffled = (0..<count).shuffled(using: &random)
        let (deleted, moved) = (shuffled.prefix(count / 5), shuffled.dropFirst(count / 5).prefix(count / 25))
        let gone = Set(deleted + moved)
        // The new place of each row, between those that stay.
        var placed = (0..<count).filter { !gone.contains($0) }.map { (Double($0), $0) }
        placed += (moved + (count..<count + count / 5)).map {
            (Double.random(in: 0..<Double(count), using: &random), $0)
        }
        oldIDs = Array(0..<count)
        newIDs = placed.sorted { $0.0 < $1.0 }.map(\.1)
        old = oldIDs.map { Row(id: $0, text: "Text of the row \($0)") }
        new = newIDs.map { Row(id: $0, text: $0 % 100 == 0 ? "Other text of \($0)" : "Text of the row \($0)") }
    }

    func changes() -> ListChanges<Int, Row> { ListChanges(fromRows: old, toRows: new) }

    /// The standard library's difference of the ids.
    ///
    /// It does not compare texts, and does not distinguish moves from deletions and insertions.
    func standard() -> CollectionDifference<Int> { newIDs.difference(from: oldIDs) }

    func check() throws {
        let stage = changes().stages[0]
        let found = [stage.deletedRows.count, stage.insertedRows.count, stage.movedRows.count]
        let expected = [old.count / 5, old.count / 5, old.count / 25]
        // Among so many rows at random places, one or two may keep their order by chance.
        guard found.dropLast() == expected.dropLast(), (expected[2] - 2...expected[2]).contains(found[2]) else {
            throw WrongAnswer(expected: "\(expected)", found: "\(found)")
        }
    }
}

/// A generator of the same numbers each time.
private struct Steps: RandomNumberGenerator {
    private var state: UInt64 = 7

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
