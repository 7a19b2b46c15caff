internal import Synchronization
internal import WharfCore

/// The progress of one client while the gateway waits for it.
///
/// A request costs two changes of a number, and no timer.
final class ClientWatch: Sendable {
    private struct State: Sendable {
        /// Whether the gateway waits for a head, or for a piece of a request's body.
        var waitsForRequest = true
        /// The writes that the client has not taken.
        var writes = 0
        /// The number of steps that the client has made.
        var steps: UInt64 = 0

        var isWaiting: Bool { waitsForRequest || writes > 0 }
    }

    private let state = Mutex(State())

    /// Marks a step of the client, and whether another part of a request is expected.
    func step(expectsMore: Bool) {
        state.withLock { state in
            state.steps &+= 1
            state.waitsForRequest = expectsMore
        }
    }

    func beginWrite() { state.withLock { $0.writes += 1 } }

    func endWrite() {
        state.withLock { state in
            state.steps &+= 1
            state.writes -= 1
        }
    }

    /// The number of steps that the client has made.
    var steps: UInt64 { state.withLock(\.steps) }

    /// Whether the gateway waits, and the client has made no step since an earlier number.
    func isStalled(since steps: UInt64) -> Bool { state.withLock { $0.isWaiting && $0.steps == steps } }
}

/// Reports the watches of one connection whose client makes no progress.
///
/// One task for each connection sleeps for the limit, and then compares. A client is reported after
/// one to two times the limit.
final class ClientWatchdog: Sendable {
    private struct Member: Sendable {
        let watch: ClientWatch
        let onStall: @Sendable () -> Void
    }

    private let members = Mutex<[ObjectIdentifier: Member]>([:])

    /// - Parameter onStall: called on any thread, for each limit that the client lets pass.
    func add(_ watch: ClientWatch, onStall: @escaping @Sendable () -> Void) {
        members.withLock { $0[ObjectIdentifier(watch)] = Member(watch: watch, onStall: onStall) }
    }

    func remove(_ watch: ClientWatch) { members.withLock { $0[ObjectIdentifier(watch)] = nil } }

    /// Compares until the task is cancelled.
    func run(limit: Duration, on clock: any Clock<Duration>) async {
        while true {
            let before = members.withLock { $0.mapValues { (member: $0, steps: $0.watch.steps) } }
            // It throws when the connection has closed.
            do { try await Deadline(after: limit, on: clock).wait() } catch { return }
            for (key, (member, steps)) in before where member.watch.isStalled(since: steps) {
                // A stream that closed meanwhile is not late.
                if members.withLock({ $0[key] != nil }) { member.onStall() }
            }
        }
    }
}
