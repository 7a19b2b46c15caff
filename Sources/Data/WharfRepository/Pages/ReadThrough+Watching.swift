internal import Synchronization
internal import WharfCore

// For a reader that puts several keys together, and asks for each when it sees fit.
extension ReadThrough {
    typealias SnapshotContinuation = AsyncStream<Snapshot<Value>>.Continuation

    /// Holds a key in memory, and signals when its value changes.
    ///
    /// The signal may serve several keys. It ends with the repository.
    ///
    /// - Returns: nil after the end.
    func watch(_ key: Key, _ signal: SnapshotContinuation) -> UInt64? {
        let watch = cache.withLock { cache -> UInt64? in
            guard let watch = cache.add(signal, for: key, .cacheOnly) else { return nil }
            // In one step with the registration. A change between the two would be taken for known.
            cache.begin(watch, of: key)
            return watch
        }
        if watch != nil { background.startOnce(follow) }
        return watch
    }

    func unwatch(_ key: Key, _ watch: UInt64) {
        _ = cache.withLock { $0.remove(watch, for: key) }
    }

    /// Reads the known values of several keys at one moment; nil after the end.
    func lookUp<Result>(_ body: ((Key) -> Kept?) -> Result) -> Result? {
        // One lock for all keys: values of two moments could show an entity on two pages.
        cache.withLock { cache in cache.isClosed ? nil : body { cache.kept($0) } }
    }
}
