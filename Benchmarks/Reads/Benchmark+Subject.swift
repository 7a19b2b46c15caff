internal import Benchmark
internal import Comparisons
internal import Fixtures
internal import Turns
internal import WharfSQLite

extension Benchmark {
    private static func configuration(duration: Duration = .seconds(3), warmup: Int = 20) -> Configuration {
        // The export requires the throughput besides the time.
        Configuration(
            metrics: [.wallClock, .throughput], warmupIterations: warmup, maxDuration: duration, maxIterations: 100_000
        )
    }

    /// Times reads of several subjects by their CPU time, in turn.
    ///
    /// Other processes on the machine take time from all subjects, but no CPU time.
    static func reads(of entries: Entries, _ keys: Keys, _ readers: [Reader]) {
        // The runner calls the runs from a task without an actor, like a detached one, so there is
        // no actor hop.
        compares(readers.map { $0.way(entries, keys) }, of: .cpu, rounds: 2_000) {
            for reader in readers { try await reader.open() }
        } teardown: {
            for reader in readers { try await reader.close() }
        }
    }

    /// Times a subject that is created before the measurement, and checks the number of its
    /// results.
    static func rounds<S: Rounds>(_ timing: Timing, make: @escaping @Sendable () async throws -> S) {
        let made = Held<S>()
        Benchmark(timing.name, configuration: configuration()) { benchmark in
            let subject = try made.value
            benchmark.startMeasurement()
            let found = try await subject.run()
            benchmark.stopMeasurement()
            let expected = subject.expected
            guard found == expected else { throw WrongAnswer(expected: "\(expected)", found: "\(found)") }
        } setup: {
            made.hold(try await make())
        } teardown: {
            try await made.value.close()
        }
    }

    /// Times the opening of a cache file.
    static func opening(_ timing: Timing, of entries: Entries) {
        Benchmark(timing.name, configuration: configuration(warmup: 3)) { benchmark in
            let files = try CacheFiles.fromEnvironment()
            benchmark.startMeasurement()
            let store = try await files.open(entries)
            benchmark.stopMeasurement()
            try await store.close()
        }
    }
}
