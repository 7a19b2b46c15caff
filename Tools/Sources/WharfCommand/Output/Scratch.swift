import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The temporary files of this run, for whoever ends it.
public final class Scratch: Sendable {
    private let paths = Mutex<Set<String>>([])

    public init() {}

    /// Removes all that are left. When this returns, none that was added before exists.
    public func removeAll() {
        paths.withLock { paths in
            for path in paths { unlink(path) }
            paths = []
        }
    }

    func add(_ path: String) { _ = paths.withLock { $0.insert(path) } }
    func forget(_ path: String) { _ = paths.withLock { $0.remove(path) } }

    func remove(_ path: String) {
        paths.withLock { paths in
            paths.remove(path)
            unlink(path)
        }
    }
}
