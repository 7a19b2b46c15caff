import Synchronization

/// The action of the running command for SIGHUP.
///
/// Without one, SIGHUP ends the command like SIGTERM.
final class Hangup: Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets the action, which takes the place of an earlier one.
    func set(_ action: (@Sendable () -> Void)?) { self.action.withLock { $0 = action } }

    /// Calls the action.
    ///
    /// - Returns: false if there is none.
    func run() -> Bool {
        guard let action = action.withLock(\.self) else { return false }
        action()
        return true
    }
}
