public import Benchmark
internal import Comparisons

extension Benchmark {
    /// Times several ways in turn in each iteration: the machine's speed changes from second to
    /// second, and so it is the same for all.
    ///
    /// - Parameters:
    ///   - rounds: how many iterations at most, after one that does not count where it is more than
    ///     one.
    ///   - check: throws when the ways don't give equal values.
    ///   - teardown: when all has been timed.
    public static func compares(
        _ ways: [Way], rounds: Int = 100, check: @escaping @Sendable () async throws -> Void,
        teardown: @escaping @Sendable () async throws -> Void = {}
    ) {
        let metrics = ways.compactMap { way in
            way.timing.part.map { (BenchmarkMetric.custom($0, useScalingFactor: false), way) }
        }
        guard let name = ways.first?.timing.name else { return }
        let configuration = Configuration(
            // The export wants the throughput.
            metrics: [.throughput] + metrics.map(\.0), warmupIterations: rounds > 1 ? 1 : 0,
            maxDuration: .seconds(20), maxIterations: rounds
        )
        Benchmark(name, configuration: configuration) { benchmark in
            for (metric, way) in metrics {
                // Of the last one only: a throughput of less than one in a second would be none.
                benchmark.startMeasurement()
                let start = ContinuousClock.now
                for _ in 0..<way.runs { try await way.run() }
                let elapsed = ContinuousClock.now - start
                benchmark.stopMeasurement()
                benchmark.measurement(metric, Int(elapsed / .nanoseconds(1)))
            }
        } setup: {
            try await check()
        } teardown: {
            try await teardown()
        }
    }
}

/// What is compared does not do the same.
public struct WrongAnswer: Error {
    public let expected: String
    public let found: String

    public init(expected: String, found: String) {
        self.expected = expected
        self.found = found
    }
}
