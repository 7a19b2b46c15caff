#if SQLite && (os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
internal import Dispatch
internal import Foundation
internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// What the system asks of a process that writes: an expiring activity, which app extensions may
/// have too.
///
/// It is held in the foreground as well, where the system always grants it: the app may leave it in
/// the middle of a write.
public struct SystemAssertion: BackgroundAssertion {
    public init() {}

    public func begin(
        onExpiry: @escaping @Sendable () -> Void
    ) async throws(StoreError) -> @Sendable () -> Void {
        let activity = Activity(onExpiry)
        let isGranted = await activity.start()
        guard isGranted else {
            throw StoreError(
                .unavailable,
                message: """
                    expected time to write from the system, but it is about to suspend the process; nothing was changed: try again \
                    when the app runs
                    """
            )
        }
        return { activity.end() }
    }
}

/// One activity. The system calls its block on a thread of its own, and a second time while the
/// first call lasts if time runs out.
private final class Activity: Sendable {
    private enum State {
        case asking
        case granted
        /// Refused, or ended.
        case over
    }

    private let state = Mutex(State.asking)
    private let isGranted = Promise<Bool>()
    private let onExpiry: @Sendable () -> Void
    // Entered until the end. The activity lasts as long as a call of the block.
    private let work = DispatchGroup()

    init(_ onExpiry: @escaping @Sendable () -> Void) {
        self.onExpiry = onExpiry
        work.enter()
    }

    /// - Returns: whether the system has granted it.
    func start() async -> Bool {
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Wharf writes to a file") { [self] isExpired in
            if isExpired { expire() } else { hold() }
        }
        return await isGranted.wait()
    }

    func end() {
        state.withLock { $0 = .over }
        work.leave()
    }

    private func hold() {
        guard answer(.granted) else { return }
        work.wait()
    }

    private func expire() {
        // Refused at once, or the time has run out.
        if answer(.over) { return }
        guard state.withLock({ if case .granted = $0 { true } else { false } }) else { return }
        onExpiry()
        // The system may suspend at return. A write that is still there after a second waits for
        // another process's lock, and has none itself.
        _ = work.wait(timeout: .now() + .seconds(1))
    }

    /// False when it was answered before.
    private func answer(_ answer: State) -> Bool {
        let isFirst = state.withLock { state in
            guard case .asking = state else { return false }
            state = answer
            return true
        }
        guard isFirst else { return false }
        if case .granted = answer { isGranted.fulfil(true) } else { isGranted.fulfil(false) }
        return true
    }
}
#endif
