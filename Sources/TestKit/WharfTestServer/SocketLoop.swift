#if TestServer
import FlyingSocks
import Synchronization

#if canImport(Darwin)
typealias Sockets = SocketPool<kQueue>
#else
typealias Sockets = SocketPool<ePoll>
#endif

extension SocketPool {
    /// Returns once the pool has finished its current work.
    ///
    /// The pool resumes a waiting task before it forgets the task's descriptor. If the descriptor
    /// were closed at once and reused, the pool would never watch it.
    func settled() {}
}

extension AsyncSocket {
    func close(in pool: Sockets) async {
        await pool.settled()
        // Closing fails only for a descriptor that is not open, and each is closed once.
        do { try close() } catch { assertionFailure("\(error)") }
    }
}

/// The only socket pool of this process. It is never stopped, as FlyingSocks leaks a descriptor for
/// each stopped pool.
enum SocketLoop {
    private static let started = Task {
        #if canImport(Darwin)
        let pool = Sockets.kQueue(maxEvents: 64)
        #else
        let pool = Sockets.ePoll(maxEvents: 64)
        #endif
        try await pool.prepare()
        Task.detached { try await pool.run() }
        return pool
    }

    static var shared: Sockets {
        get async throws { try await started.value }
    }
}
#endif
