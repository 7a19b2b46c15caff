import Testing
import WharfChecks

@testable import WharfStores

@Suite struct SortedQueueTests {
    /// Each number is inserted if it is absent, and removed if it is present.
    @Test func queueBehavesLikeASortedSet() async throws {
        try await forAll(.array(of: .int(in: 0...150 as ClosedRange<Int64>), count: 0...300), runs: 200) { numbers in
            var (queue, model) = (PositionQueue(), Set<Int64>())
            for number in numbers {
                if model.remove(number) == nil {
                    model.insert(number)
                    queue.insert(number)
                } else {
                    queue.remove(number)
                }
                try require(queue.count == model.count, "counts \(queue.count) of \(model.count)")
                try require(queue.isEmpty == model.isEmpty, "is it empty: \(queue.isEmpty)")
                try require(queue.head == model.min(), "begins with \(String(describing: queue.head))")
                try require(
                    queue.contains(number) == model.contains(number), "has \(number): \(queue.contains(number))")
            }
            try require(Array(queue) == model.sorted(), "expected \(model.sorted()), found \(Array(queue))")
            let behind = Array(queue.elements(after: 75))
            try require(behind == model.sorted().filter { $0 > 75 }, "behind 75 found \(behind)")
            let before = queue.last(before: 75)
            try require(
                before == model.filter { $0 < 75 }.max(), "the last before 75 is \(before.map(String.init) ?? "none")")
        }
    }
}
