public import Benchmark
internal import Comparisons

extension Benchmark {
    /// Times several ways in turn in each iteration.
    ///
    /// The machine's speed changes from second to second, so each way gets a similar share of it.
    /// The first way changes with each iteration, so none always finds the caches of another.
    ///
    /// - Parameters:
    ///   - time: the time that is measured.
    ///   - rounds: the maximum number of iterations. If it is more than one, an extra one warms up.
    ///   - check: throws if the ways give different values.
    ///   - teardown: called after the last measurement.
    public static func compares(
        _ ways: [Way], of time: MeasuredTime = .wall, rounds: Int = 100,
        check: @escaping @Sendable () async throws -> Void,
        teardown: @escaping @Sendable () async throws -> Void = {}
    ) {
        let metrics = ways.compactMap { way in
            way.timing.part.map { (BenchmarkMetric.custom($0, useScalingFactor: false), way) }
        }
        guard let name = metrics.first?.1.timing.name else { return }
        let configuration = Configuration(
            // The export requires the throughput.
            metrics: [.throughput] + metrics.map(\.0), warmupIterations: rounds > 1 ? 1 : 0,
            maxDuration: .seconds(20), maxIterations: rounds
        )
        Benchmark(name, configuration: configuration) { benchmark in
            let first = benchmark.currentIteration % metrics.count
            for (metric, way) in metrics[first...] + metrics[..<first] {
                let run = try await way.prepare()
                // The throughput is that of the last way only, as one below one per second is
                // rounded to zero.
                benchmark.startMeasurement()
                let start = time.nanoseconds
                for _ in 0..<way.runs { try await run() }
                let elapsed = time.nanoseconds - start
                benchmark.stopMeasurement()
                benchmark.measurement(metric, elapsed)
            }
        } setup: {
            try await check()
        } teardown: {
            try await teardown()
        }
    }
}
