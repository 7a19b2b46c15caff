public import Benchmark
internal import Comparisons

extension Benchmark {
    /// Times several ways in turn in each iteration.
    ///
    /// The machine's speed changes from second to second, so each way gets a similar share of it.
    ///
    /// - Parameters:
    ///   - rounds: the maximum number of iterations. If it is more than one, an extra one warms up.
    ///   - check: throws if the ways give different values.
    ///   - teardown: called after the last measurement.
    public static func compares(
        _ ways: [Way], rounds: Int = 100, check: @escaping @Sendable () async throws -> Void,
        teardown: @escaping @Sendable () async throws -> Void = {}
    ) {
        let metrics = ways.compactMap { way in
            way.timing.part.map { (BenchmarkMetric.custom($0, useScalingFactor: false), way) }
        }
        guard let name = ways.first?.timing.name else { return }
        let configuration = Configuration(
            // The export requires the throughput.
            metrics: [.throughput] + metrics.map(\.0), warmupIterations: rounds > 1 ? 1 : 0,
            maxDuration: .seconds(20), maxIterations: rounds
        )
        Benchmark(name, configuration: configuration) { benchmark in
            for (metric, way) in metrics {
                // The throughput is that of the last way only, as one below one per second is
                // rounded to zero.
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

/// The error of ways that give different values.
public struct WrongAnswer: Error {
    /// The value of one way.
    public let expected: String
    /// The differing value of another.
    public let found: String

    /// Creates an error from the two values.
    public init(expected: String, found: String) {
        self.expected = expected
        self.found = found
    }
}
