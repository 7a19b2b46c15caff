#if TestServer
import FlyingSocks
import Synchronization

#if canImport(Darwin)
typealias Sockets = SocketPool<kQueue>
#else
typealias Sockets = SocketPool<ePoll>
#endif

extension SocketPool {
    /// Returns when the pool is done with what it was doing. It resumes a waiting task before it
    /// forgets the task's descriptor, so a descriptor that is closed at once, and given out again,
    /// would never be watched.
    func settled() {}
}

extension AsyncSocket {
    func close(in pool: Sockets) async {
        await pool.settled()
        // Only a descriptor that is not open fails here, and each is closed once.
        do { try close() } catch { assertionFailure("\(error)") }
    }
}

/// The one pool of sockets of this process. It is never stopped: FlyingSocks leaks a descriptor for
/// each pool that is.
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
