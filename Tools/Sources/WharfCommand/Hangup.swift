import Dispatch
import Synchronization

/// The action of the running command for SIGHUP.
///
/// Without one, SIGHUP ends the command like SIGTERM.
final class Hangup: Sendable {
    // The action reads files and writes messages, which may block. SIGTERM has to end the command
    // meanwhile.
    private let queue = DispatchQueue(label: "wharf.hangup")
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets the action, which takes the place of an earlier one.
    func set(_ action: (@Sendable () -> Void)?) { self.action.withLock { $0 = action } }

    /// Starts the action.
    ///
    /// - Returns: false if there is none.
    func run() -> Bool {
        guard let action = action.withLock(\.self) else { return false }
        queue.async(execute: action)
        return true
    }
}
