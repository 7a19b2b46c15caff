import Testing
import WharfChecks
import WharfPresentation
import WharfRandom

/// Every change of a list can be applied to a table in valid batches.
@Suite struct ListChangesLawTests {
    private static let inputs = Generator<ListPair>.oneOf(ListPair.any, ListPair.any, ListPair.long)

    /// Performs all batches.
    private func performed(_ pair: ListPair) throws -> (before: ShownTable, after: ShownTable) {
        let before = ShownTable(pair.old)
        var table = before
        for stage in ListChanges(from: pair.old, to: pair.new).stages { try table.perform(stage) }
        return (before, table)
    }

    @Test func appliedBatchesProduceTheNewList() async throws {
        try await forAll(Self.inputs, runs: 1_500) { pair in
            let shown = try performed(pair).after.shown
            let wanted = ShownTable(pair.new).shown
            try require(shown == wanted, "shown \(ListPair.text(shown))")
        }
    }

    @Test func everyBatchPassesValidation() async throws {
        try await forAll(Self.inputs, runs: 700) { pair in
            let stages = ListChanges(from: pair.old, to: pair.new).stages
            var shown = pair.old.map(\.elements.count)
            for stage in stages {
                let counts = stage.sections.map(\.elements.count)
                try stage.validate(shown: shown, source: counts)
                shown = counts
            }
            try require(stages.count <= 5, "\(stages.count) batches")
            try require(stages.last.map { $0.sections == pair.new } ?? true, "the last batch shows something else")
        }
    }

    /// The law includes rows that change their section, and repeated rows.
    @Test func rowInBothListsKeepsItsCell() async throws {
        try await forAll(Self.inputs, runs: 700) { pair in
            let (before, after) = try performed(pair)
            let old = before.parts.flatMap(\.cells)
            let kept = Dictionary(
                grouping: after.parts.flatMap(\.cells).filter { $0.number <= old.count }, by: \.row.id)
            let (oldIDs, newIDs) = (counts(pair.old), counts(pair.new))
            for (id, count) in oldIDs {
                let wanted = min(count, newIDs[id] ?? 0)
                try require(kept[id]?.count ?? 0 == wanted, "\(kept[id] ?? []) kept of row \(id)")
                for cell in kept[id] ?? [] {
                    try require(old[cell.number - 1].row.id == id, "cell \(cell.number) shows row \(id) now")
                }
            }
        }
    }

    private func counts(_ sections: [Section]) -> [Int: Int] {
        sections.flatMap(\.elements).reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
    }

    /// The lists consist of sections with rows.
    @Test func aListThatStaysTheSameHasNoChanges() async throws {
        try await forAll(ListPair.sections, runs: 200) { list in
            try require(ListChanges(from: list, to: list).isEmpty, "changes")
        }
    }

    @Test func fewestPossibleRowsMoveWithinTheirSection() async throws {
        let cuts = Generator<[Int]>.array(of: .int(in: 0...40), count: 0...2)
        try await forAll(.zip(Self.orders, cuts, cuts), runs: 1_000) { order, oldCuts, newCuts in
            let old = sections(Array(order.indices), oldCuts)
            let new = sections(order, newCuts)
            let moved = ListChanges(from: old, to: new).stages.flatMap(\.movedRows).count
            // Rows that keep their section can keep their position if they are in an ascending run.
            let kept = zip(old, new).map { old, new in
                longestAscending(new.elements.map(\.id).filter(Set(old.elements.map(\.id)).contains))
            }
            try require(moved == order.count - kept.reduce(0, +), "\(moved) moves")
        }
    }

    /// Three sections with these rows, cut at the given positions.
    private func sections(_ rows: [Int], _ cuts: [Int]) -> [Section] {
        let cuts = (cuts + [0, 0]).prefix(2).map { min($0, rows.count) }.sorted()
        return [rows[..<cuts[0]], rows[cuts[0]..<cuts[1]], rows[cuts[1]...]].enumerated().map { index, rows in
            Section(id: "\(index)", elements: rows.map { Row($0) })
        }
    }

    @Test func fewestPossibleSectionsMove() async throws {
        try await forAll(Self.orders, runs: 300) { order in
            let old = order.indices.map { Section(id: "\($0)", elements: []) }
            let changes = ListChanges(from: old, to: order.map { old[$0] })
            let moved = changes.stages.flatMap(\.movedSections).count
            try require(moved == order.count - longestAscending(order), "\(moved) moves")
        }
    }

    /// The numbers from zero on, in a random order.
    private static let orders = Generator<[Int]>.array(of: .int(in: 0...99), count: 0...40).map { numbers in
        numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
    }

    private func longestAscending(_ numbers: [Int]) -> Int {
        var lengths: [Int] = []
        for (index, number) in numbers.enumerated() {
            lengths.append(1 + ((0..<index).filter { numbers[$0] < number }.map { lengths[$0] }.max() ?? 0))
        }
        return lengths.max() ?? 0
    }

    /// A fifth of the rows are deleted, some are inserted and moved, and blocks are inserted,
    /// deleted and moved.
    @Test(arguments: [1, 20, 100]) func batchesOfALongListProduceTheNewList(block: Int) throws {
        var random = SeededGenerator(seed: 5)
        let old = (0..<5_000).map { Row($0) }
        var new = old.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
        for _ in 0..<200 {
            let row = new.remove(at: Int.random(in: 0..<new.count, using: &random))
            new.insert(row, at: Int.random(in: 0...new.count, using: &random))
            new.insert(Row(5_000 + new.count), at: Int.random(in: 0...new.count, using: &random))
        }
        new += new[1_000..<1_000 + block]
        new.removeSubrange(1_000..<1_000 + block)
        new.insert(contentsOf: (0..<block).map { Row(10_000 + $0) }, at: 2_000)
        new.removeSubrange(3_000..<3_000 + block)
        let changes = ListChanges(fromRows: old, toRows: new)
        var table = ShownTable([Section(id: "", elements: old)])
        for stage in changes.stages {
            try table.perform(ListStage(stage))
        }
        #expect(table.shown[0].elements == new)
        #expect(changes.stages.flatMap(\.movedRows).count <= 200 + block)
    }
}

extension ListStage<String, Row> {
    /// Makes a stage with named sections from one of a list with a single section.
    fileprivate init(_ stage: ListStage<Int, Row>) {
        self.init(sections: stage.sections.map { Section(id: "\($0.id)", elements: $0.elements) })
        deletedRows = stage.deletedRows
        insertedRows = stage.insertedRows
        movedRows = stage.movedRows
        changedRows = stage.changedRows
    }
}
