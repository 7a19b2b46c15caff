#if SQLite
internal import Synchronization
internal import WharfCore

/// The lease owner of one opened data file, and the detector of dead owners.
///
/// An owner is a random number and a lock file beside the data file, `<data file>.owner-<number>`.
/// The opened file holds an advisory lock (`flock`) on it. The kernel releases the lock when the
/// process ends, even by SIGKILL, and keeps it while the process is stopped.
///
/// Invariants:
/// - A number is written into a lease only while its lock is held, and is never used again. So an
///   owner whose lock is free stays dead.
/// - An owner whose lock can't be examined counts as living. Its leases end by time. The same is
///   true of a dead process with a living child that was forked without exec: the child holds the
///   lock, too.
/// - `flock` belongs to an open file description: a file that is opened twice in one process has
///   two owners.
final class LeaseOwners: Sendable {
    private struct State {
        var own: (number: Int64, lock: FileLock)?
        var isClosed = false
        /// Other owners whose death was reported by ``findDeath(among:)``.
        var reported: Set<Int64> = []
    }

    // Invariants: `own` is set once and only before `isClosed`. The lock of `own` is held as long
    // as `own` is set.
    private let state = Mutex(State())
    /// The path without symbolic links.
    ///
    /// Each process has to look for the lock files in the same folder.
    private let path: String
    /// The identity of the data file when it was opened.
    private let identity: [UInt64]?
    private let draw: @Sendable () -> Int64

    /// - Parameters:
    ///   - path: of the data file, which exists.
    ///   - draw: returns a random number that is practically unique.
    init(_ path: String, drawing draw: @escaping @Sendable () -> Int64) {
        self.path = Disk.resolved(path)
        self.draw = draw
        identity = Disk.identity(path)
    }

    deinit {
        // Every lease was taken through the data file, and no object that could deliver holds it
        // any more.
        if let own = state.withLock({ $0.own }) { remove(own) }
    }

    /// The owner's number; nil before the first lease.
    var number: Int64? { state.withLock { $0.own?.number } }

    /// The lock of ``number``.
    var lock: FileLock? { state.withLock { $0.own?.lock } }

    /// Returns the owner's number. The first call takes the lock.
    ///
    /// The first call also removes the lock files of dead owners.
    ///
    /// - Returns: the number to write into leases; nil if they end by time alone.
    func own() throws(StoreError) -> Int64? {
        guard FileLock.mayBeHeld(at: path) else { return nil }
        // Under the lock, so that two first leases make one owner.
        let outcome: Result<Int64, StoreError> = state.withLock { state in
            if let own = state.own { return .success(own.number) }
            // A lease after the close would have an owner whose lock is never released.
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
        // Lock files of killed processes would pile up. `life` removes a file only if its lock is
        // free.
        for file in (try? Disk.files(beside: path, beginning: Self.suffix)) ?? [] { _ = FileLock.life(file) }
        while true {
            let number = draw()
            // The name may be taken, or the file may have been swept away. Another number is tried.
            if let lock = try FileLock.make(file(of: number)) { return (number, lock) }
        }
    }

    // MARK: Others

    /// Whether an owner has died or was closed. Its lock file is removed.
    func isDead(_ owner: Int64) -> Bool {
        switch FileLock.life(file(of: owner)) {
        case .mayLive: false
        case .dead: true
        // If the open data file was renamed, the lock files may have moved with it or not. Then the
        // absence of a file proves nothing.
        case .noFile: identity != nil && Disk.identity(path) == identity
        }
    }

    /// Whether one of these owners has died and its death was not reported before.
    func findDeath(among owners: [Int64]) -> Bool {
        let dead = owners.filter(isDead)
        return state.withLock { state in
            var isNew = false
            // Each death is news once. Its leases stay in the file until the next lease ends them.
            for owner in dead where state.reported.insert(owner).inserted { isNew = true }
            return isNew
        }
    }

    // MARK: The end

    /// Releases the lock.
    ///
    /// - Parameter holdsLeases: whether an engine did not release all leases, so a request may be
    ///   in flight. Then the lock is kept until the process ends, and those leases end by time.
    func close(holdsLeases: Bool) {
        let own = state.withLock { state in
            defer { (state.own, state.isClosed) = (nil, true) }
            return state.own
        }
        // Without the lock another process would lease the lanes at once, while a request of this
        // one is in flight.
        if let own, !holdsLeases { remove(own) }
    }

    private func remove(_ own: (number: Int64, lock: FileLock)) {
        // The file goes first. An examiner between the two lines finds no file, and counts the
        // owner as dead, which it is.
        try? Disk.remove(file(of: own.number))
        own.lock.release()
    }

    private static let suffix = ".owner-"

    private func file(of owner: Int64) -> String { path + Self.suffix + String(owner, radix: 16) }
}
#endif
