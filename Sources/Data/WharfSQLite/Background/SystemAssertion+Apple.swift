#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
internal import Dispatch
internal import Foundation
internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// The system's background assertion: an expiring activity.
///
/// App extensions may have one too. It is held even in the foreground, where the system always
/// grants it. The app may leave the foreground in the middle of a write.
public struct SystemAssertion: BackgroundAssertion {
    /// Creates the system's assertion.
    public init() {}

    public func begin(
        onExpiry: @escaping @Sendable () -> Void
    ) async throws(StoreError) -> @Sendable () -> Void {
        let activity = Activity(onExpiry)
        let isGranted = await activity.start()
        guard isGranted else {
            throw StoreError(
                .unavailable,
                message: "the system granted no time to write, because it is about to suspend the process; nothing was "
                    + "changed: try again when the app runs"
            )
        }
        return { activity.end() }
    }
}

/// One expiring activity.
///
/// The system calls its block on a thread of its own. If time runs out, it calls the block a second
/// time during the first call.
private final class Activity: Sendable {
    private enum State {
        case asking
        case granted
        /// The activity was refused, or has ended.
        case over
    }

    // `isGranted` is fulfilled once, by the transition that leaves `asking`. `work` is entered once
    // in `init` and left once in `end`.
    private let state = Mutex(State.asking)
    private let isGranted = Promise<Bool>()
    private let onExpiry: @Sendable () -> Void
    // Entered until the end. The activity lasts as long as a call of the block.
    private let work = DispatchGroup()

    init(_ onExpiry: @escaping @Sendable () -> Void) {
        self.onExpiry = onExpiry
        work.enter()
    }

    /// Starts the activity.
    ///
    /// - Returns: whether the system has granted it.
    func start() async -> Bool {
        // The block retains the activity, so it lives until the system has called the block.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Wharf writes to a file") { [self] isExpired in
            if isExpired { expire() } else { hold() }
        }
        return await isGranted.wait()
    }

    func end() {
        // The state comes first: an expiry that comes after it has no write to interrupt.
        state.withLock { $0 = .over }
        work.leave()
    }

    private func hold() {
        // After an expiry the activity is over. Waiting here would hold a thread of the system for
        // ever.
        guard answer(.granted) else { return }
        work.wait()
    }

    private func expire() {
        // The request was refused at once, or the time has run out.
        if answer(.over) { return }
        guard state.withLock({ if case .granted = $0 { true } else { false } }) else { return }
        // The write is interrupted before the wait. Without it a long write would go on into the
        // suspension, with its locks.
        onExpiry()
        // The system may suspend the process at return. A write that still runs after a second
        // waits for another process's lock, and holds none itself.
        _ = work.wait(timeout: .now() + .seconds(1))
    }

    /// Answers the request; false if it was answered before.
    private func answer(_ answer: State) -> Bool {
        let isFirst = state.withLock { state in
            guard case .asking = state else { return false }
            state = answer
            return true
        }
        guard isFirst else { return false }
        // Fulfilled outside the lock, because it resumes the task that asked.
        if case .granted = answer { isGranted.fulfil(true) } else { isGranted.fulfil(false) }
        return true
    }
}
#endif
