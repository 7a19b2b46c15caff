import Testing
import WharfTesting

/// Whatever happens in whatever order, a stored repository answers as a few dictionaries do.
@Suite(.timeLimit(.minutes(5)))
struct SequenceTests {
    private static let sequences = 3_000
    private static let length = 30

    @Test(arguments: [nil, .seconds(30)] as [Duration?])
    func anySequenceOfOperationsAnswersAsDictionariesDo(timeToLive: Duration?) async {
        for seed in 1...UInt64(Self.sequences / 2) {
            var random = SeededGenerator(seed: seed)
            let operations = (0..<Self.length).map { _ in Operation.random(using: &random) }
            let first = await SequenceStage.difference(operations, timeToLive: timeToLive)
            guard let first else { continue }
            let shortest = await Self.shrunk(operations, timeToLive: timeToLive)
            let difference = await SequenceStage.difference(shortest, timeToLive: timeToLive)
            let steps = shortest.map { "\n  \($0)" }.joined()
            Issue.record("seed \(seed): \(difference ?? "not each time, \(first)")\nof the steps\(steps)")
            return
        }
    }

    /// Without what is not needed for it to differ: halves first, single steps last.
    private static func shrunk(_ operations: [Operation], timeToLive: Duration?) async -> [Operation] {
        var operations = operations
        var size = operations.count / 2
        while size > 0 {
            var start = 0
            while start < operations.count {
                var fewer = operations
                fewer.removeSubrange(start..<min(start + size, operations.count))
                if await SequenceStage.difference(fewer, timeToLive: timeToLive) != nil {
                    operations = fewer
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return operations
    }
}
