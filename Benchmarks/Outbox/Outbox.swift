internal import Benchmark
internal import Comparisons
internal import Fixtures
internal import Turns

let benchmarks: @Sendable () -> Void = {
    Benchmark.enqueues()
    Benchmark.drains(.drain, to: NoOperation())
    Benchmark.drains(.drainBatches, to: NoOperations())
    Benchmark.openings()
}

extension Benchmark {
    fileprivate static func enqueues() {
        let inserts = Inserts()
        compares(
            [
                Way(.enqueueBare) { try await inserts.bare() },
                Way(.enqueueOne) { try await inserts.enqueue() },
                Way(.enqueueMany, isWhole: true) { try await inserts.enqueue(.enqueueMany, by: 64) },
            ], rounds: 60
        ) {
            try await inserts.open()
        } teardown: {
            try await inserts.close()
        }
    }
}
