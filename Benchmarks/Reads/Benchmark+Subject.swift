internal import Benchmark
internal import Comparisons
internal import Fixtures
internal import Synchronization
internal import WharfSQLite

extension Benchmark {
    private static func configuration(duration: Duration = .seconds(3), warmup: Int = 20) -> Configuration {
        // The export requires the throughput besides the time.
        Configuration(
            metrics: [.wallClock, .throughput], warmupIterations: warmup, maxDuration: duration, maxIterations: 100_000
        )
    }

    /// Times reads of a subject that is created before the measurement.
    static func reads<S: Subject>(
        _ timing: Timing, of entries: Entries, _ keys: Keys, make: @escaping @Sendable () async throws -> S
    ) {
        let made = Held<S>()
        Benchmark(timing.name, configuration: configuration()) { benchmark in
            let subject = try made.value
            let items = keys.pick(timing.operations, of: entries.count).map(subject.item)
            benchmark.startMeasurement()
            // The runner calls this from a task without an actor, like a detached one, so there is
            // no actor hop.
            let bytes = try await subject.read(items)
            benchmark.stopMeasurement()
            let expected = items.count * entries.length
            guard bytes == expected else { throw WrongAnswer(expected: "\(expected) bytes", found: "\(bytes)") }
        } setup: {
            made.hold(try await make())
        } teardown: {
            try await made.value.close()
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

/// Passes the result of the setup to the runs and the teardown, which have no parameters.
private final class Held<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    func hold(_ value: Value) { held.withLock { $0 = value } }

    var value: Value {
        get throws {
            guard let value = held.withLock({ $0 }) else {
                throw WrongAnswer(expected: "a setup before", found: "none")
            }
            return value
        }
    }
}
