import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Ends a wait in which nothing moves any more: neither bytes of the peer, nor the process.
///
/// A request that hangs is told from one that is slow by the processor: a busy machine delays work that is there, and a hang
/// has none. So ten seconds count only if the process did next to nothing in each of them.
enum Stillness {
    struct Hang: Error, CustomStringConvertible {
        var description: String { "the request hangs: the peer has closed, no byte moves, and the process is idle" }
    }

    /// - Parameter progress: a number that changes when something moves.
    static func before<Value: Sendable>(
        _ progress: @escaping @Sendable () -> Int, _ work: @escaping @Sendable () async -> Value
    ) async throws -> Value {
        let (results, source) = AsyncStream.makeStream(of: Value?.self)
        // Not a task group: that would wait for the work, which may not heed cancellation.
        let task = Task { source.yield(await work()) }
        let watch = Task {
            do { try await untilStill(progress) } catch { return }
            source.yield(nil)
        }
        defer {
            task.cancel()
            watch.cancel()
        }
        for await result in results {
            guard let result else { throw Hang() }
            return result
        }
        throw CancellationError()
    }

    private static func untilStill(_ progress: () -> Int) async throws {
        var last = (progress(), processorTime())
        var quiet = 0
        while quiet < 10 {
            try await Task.sleep(for: .seconds(1))
            let now = (progress(), processorTime())
            quiet = now.0 == last.0 && now.1 - last.1 < .milliseconds(20) ? quiet + 1 : 0
            last = now
        }
    }

    /// What the process has used so far.
    private static func processorTime() -> Duration {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(.zero) { $0 + .seconds($1.tv_sec) + .microseconds(Int64($1.tv_usec)) }
    }
}
