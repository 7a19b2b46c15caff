internal import Benchmark
internal import Comparisons
internal import Fixtures
internal import WharfCore
internal import WharfOutbox
internal import WharfSQLite
internal import WharfStorage

extension Benchmark {
    /// Times the drain of a fresh copy in each iteration.
    static func drains(_ timing: Timing, to destination: any Destination) {
        guard let part = timing.part else { return }
        let metric = BenchmarkMetric.custom(part, useScalingFactor: false)
        let configuration = Configuration(
            metrics: [.throughput, metric], warmupIterations: 0, maxDuration: .seconds(60), maxIterations: 3)
        Benchmark(timing.name, configuration: configuration) { benchmark in
            let file = try await Journals.fromEnvironment().openCopy(.drained)
            let outbox = OutboxEngine(store: SQLiteWriteStore(file), destinations: [destination])
            let start = ContinuousClock.now
            let report = try await outbox.drain()
            let elapsed = ContinuousClock.now - start
            // The export requires a throughput, and rounds one below one per second to zero.
            benchmark.startMeasurement()
            benchmark.stopMeasurement()
            benchmark.measurement(metric, Int(elapsed / .nanoseconds(1)))
            await outbox.close()
            try await file.close()
            guard report.delivered == Pending.drained.count else {
                throw WrongAnswer(expected: "\(Pending.drained.count)", found: "\(report.delivered)")
            }
        }
    }

    /// Times the steps of an outbox before its first delivery.
    ///
    /// It opens the file, reads the counts, and leases a lane.
    static func openings() {
        let configuration = Configuration(
            metrics: [.wallClock, .throughput], warmupIterations: 1, maxDuration: .seconds(20), maxIterations: 20)
        Benchmark(Timing.outboxOpening.name, configuration: configuration) { benchmark in
            let journals = try Journals.fromEnvironment()
            let request = LeaseRequest(
                destinations: [.init("api", kinds: [Pending.kind.name])], now: SystemWallClock().now(), lanes: 1)
            benchmark.startMeasurement()
            let file = try await journals.open(.opened)
            let store = SQLiteWriteStore(file)
            let counts = try await store.counts(of: nil)
            let leased = try await store.lease(request)
            benchmark.stopMeasurement()
            var commit = Commit()
            commit.released = leased.lanes.map(\.lease)
            try await store.commit(commit)
            try await file.close()
            let found = (counts.pending.values.first ?? 0, leased.lanes.first?.deliveries.count ?? 0)
            guard found == (Pending.opened.count, 64) else {
                throw WrongAnswer(expected: "\(Pending.opened.count) and 64 leased", found: "\(found)")
            }
        }
    }
}
