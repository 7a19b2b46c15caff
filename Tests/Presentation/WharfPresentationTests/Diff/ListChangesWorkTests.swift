import Testing
import WharfPresentation
import WharfRandom

/// The work of comparing lists, counted and not timed.
@Suite struct ListChangesWorkTests {
    private final class Count {
        var comparisons = 0
        var asked = 0
        var hashed = 0
    }

    /// An id that counts its comparisons and hashes. Some rows share a hash.
    private struct CountedID: Hashable {
        let number: Int
        var hashOf = { (number: Int) in number }
        let count: Count

        static func == (left: Self, right: Self) -> Bool {
            left.count.comparisons += 1
            return left.number == right.number
        }

        func hash(into hasher: inout Hasher) {
            count.hashed += 1
            hasher.combine(hashOf(number))
        }
    }

    enum Shape: CaseIterable, Sendable {
        case same, reversed, shuffled, replaced, oneID, fewIDs, blockInFront, blockWithin

        func lists(_ count: Int) -> (old: [Int], new: [Int]) {
            var random = SeededGenerator(seed: 3)
            let old = Array(0..<count)
            let block = Array(count..<count + count / 10)
            return switch self {
            case .same: (old, old)
            case .reversed: (old, old.reversed())
            case .shuffled: (old, old.shuffled(using: &random))
            case .replaced: (old, old.map { $0 + count })
            case .oneID: (old.map { _ in 1 }, [2] + old.map { _ in 1 } + [3])
            case .fewIDs: (old.map { $0 % 7 }, old.shuffled(using: &random).map { $0 % 7 })
            case .blockInFront: (old, block + old)
            case .blockWithin: (old, [-1] + old.prefix(count / 2) + block + old.suffix(count / 2) + [-2])
            }
        }
    }

    private func work(_ old: [Int], _ new: [Int], hashOf: @escaping (Int) -> Int = { $0 }) -> (Count, moves: Int) {
        let count = Count()
        let sections = { (numbers: [Int]) in [ListSection(id: 0, elements: numbers)] }
        let changes = ListChanges(from: sections(old), to: sections(new)) {
            count.asked += 1
            return CountedID(number: $0, hashOf: hashOf, count: count)
        } isEqual: {
            $0 == $1
        }
        return (count, changes.stages.reduce(0) { $0 + $1.movedRows.count })
    }

    @Test(arguments: Shape.allCases) func diffWorkIsLinearInTheRows(_ shape: Shape) {
        for count in [1_000, 16_000] {
            let (old, new) = shape.lists(count)
            let (work, _) = work(old, new)
            #expect(work.comparisons < 3 * (old.count + new.count))
            #expect(work.asked < 5 * (old.count + new.count))
        }
    }

    /// The number of changed rows and the position of a moved block do not matter.
    @Test func rowsInKeptOrderAreMostlyNotHashed() {
        let old = Array(0..<16_000)
        let block = { Array(20_000..<20_000 + $0) }
        for new in [
            old.map { $0 % 100 == 0 ? -$0 - 1 : $0 }, block(1_600) + old, old + block(1_600),
            [-1] + old.prefix(8_000) + block(40) + old.suffix(8_000) + [-2],
        ] {
            #expect(work(old, new).0.hashed < old.count / 8)
        }
    }

    @Test func idsWithEqualHashesAreDistinguished() {
        let order = [5, 3, 8, 1, 9, 0, 7, 2, 6, 4]
        #expect(work(Array(0..<10), order, hashOf: { _ in 1 }).moves == 10 - 3)
    }
}
