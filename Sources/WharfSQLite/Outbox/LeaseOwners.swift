#if SQLite
internal import Synchronization
internal import WharfCore

/// The owner of the leases of one opened data file, and the detector of the deaths of others.
///
/// An owner is a random number and a lock file beside the data file, `<data file>.owner-<number>`.
/// The opened file holds an advisory lock (`flock`) on it. The kernel releases the lock when the
/// process ends, also by SIGKILL, and keeps it while the process is stopped.
///
/// Invariants:
/// - A number is written into a lease only while its lock is held, and is never used again. So an
///   owner whose lock is free stays dead.
/// - An owner whose lock can't be looked at counts as living. Its leases end by time. So do those
///   of a dead process of which a child lives that was forked and has never become another program:
///   it has the lock, too.
/// - `flock` belongs to an open file description: a file that is opened twice in one process has
///   two owners.
final class LeaseOwners: Sendable {
    private struct State {
        var own: (number: Int64, lock: FileLock)?
        var isClosed = false
        /// Other owners whose death was reported by ``findDeath(among:)``.
        var reported: Set<Int64> = []
    }

    private let state = Mutex(State())
    /// Without symbolic links: each process has to look for the lock files in the same folder.
    private let path: String
    /// The data file when it was opened.
    private let identity: [UInt64]?
    private let draw: @Sendable () -> Int64

    /// - Parameters:
    ///   - path: of the data file, which is there.
    ///   - draw: a number that is hardly ever drawn twice.
    init(_ path: String, drawing draw: @escaping @Sendable () -> Int64) {
        self.path = Disk.resolved(path)
        self.draw = draw
        identity = Disk.identity(path)
    }

    deinit {
        // Every lease was taken through the data file, and nothing that could deliver holds it any
        // more.
        if let own = state.withLock({ $0.own }) { remove(own) }
    }

    /// nil: nothing was leased yet.
    var number: Int64? { state.withLock { $0.own?.number } }

    /// The lock of ``number``.
    var lock: FileLock? { state.withLock { $0.own?.lock } }

    /// Takes the lock at the first call, and removes the lock files of dead owners then.
    ///
    /// - Returns: the number to write into leases; nil where they end by time alone.
    func own() throws(StoreError) -> Int64? {
        guard mayHoldLocks else { return nil }
        let outcome: Result<Int64, StoreError> = state.withLock { state in
            if let own = state.own { return .success(own.number) }
            if state.isClosed { return .failure(.closed) }
            do throws(StoreError) {
                let own = try begin()
                state.own = own
                return .success(own.number)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func begin() throws(StoreError) -> (number: Int64, lock: FileLock) {
        for file in (try? Disk.files(beside: path, beginning: Self.suffix)) ?? [] { _ = FileLock.life(file) }
        while true {
            let number = draw()
            if let lock = try FileLock.make(file(of: number)) { return (number, lock) }
        }
    }

    // MARK: Others

    /// Whether an owner has died or was closed. Its lock file is removed.
    func isDead(_ owner: Int64) -> Bool {
        switch FileLock.life(file(of: owner)) {
        case .mayLive: false
        case .dead: true
        // An open data file that was renamed has taken its owners' files along, or not: nothing is
        // known then.
        case .noFile: identity != nil && Disk.identity(path) == identity
        }
    }

    /// Whether one of these has died whose death was not reported before.
    func findDeath(among owners: [Int64]) -> Bool {
        let dead = owners.filter(isDead)
        return state.withLock { state in
            var isNew = false
            for owner in dead where state.reported.insert(owner).inserted { isNew = true }
            return isNew
        }
    }

    // MARK: The end

    /// Gives the lock back.
    ///
    /// - Parameter holdsLeases: an engine did not give all leases back, so a request may be in
    ///   flight. The lock is kept until the process ends then, and those leases end by time.
    func close(holdsLeases: Bool) {
        let own = state.withLock { state in
            defer { (state.own, state.isClosed) = (nil, true) }
            return state.own
        }
        if let own, !holdsLeases { remove(own) }
    }

    private func remove(_ own: (number: Int64, lock: FileLock)) {
        try? Disk.remove(file(of: own.number))
        own.lock.release()
    }

    private static let suffix = ".owner-"

    private func file(of owner: Int64) -> String { path + Self.suffix + String(owner, radix: 16) }

    /// iOS and its kin kill an app that is suspended while it holds a lock in the container of an
    /// app group (0xdead10cc).
    private var mayHoldLocks: Bool {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        !path.contains("/Shared/AppGroup/")
        #else
        true
        #endif
    }
}
#endif
