import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Turns SIGINT, SIGTERM or SIGHUP into cancellation of the run.
///
/// SIGHUP is passed to the command if it has an action for it, unless the terminal is gone.
/// The first signal cancels the run. The second one, or five seconds later, ends the process.
/// Temporary files are removed in both cases. SIGINT is ignored while a pager is shown.
public final class Interrupts: @unchecked Sendable {
    // Unchecked because of `sources` only. They are created here and used only by `listen`, and
    // Dispatch locks them itself.
    private static let grace = 5
    private let first = Mutex<Int32?>(nil)
    private let queue: DispatchQueue
    private let sources: [(number: Int32, source: any DispatchSourceSignal)]
    private let surroundings: Surroundings
    private let hadTerminal = Descriptor.standardInput.isTerminal

    /// Creates a handler.
    ///
    /// - Parameter surroundings: those of the run. Their scratch files are removed before the
    ///   process ends.
    public init(_ surroundings: Surroundings) {
        let queue = DispatchQueue(label: "wharf.interrupts")
        self.queue = queue
        self.surroundings = surroundings
        sources = [SIGINT, SIGTERM, SIGHUP].map { ($0, DispatchSource.makeSignalSource(signal: $0, queue: queue)) }
    }

    /// Starts to handle the signals; call it once.
    ///
    /// A broken pipe no longer ends the process. It becomes an error of the write.
    ///
    /// - Parameter cancel: cancels the run.
    public func listen(_ cancel: @escaping @Sendable () -> Void) {
        signal(SIGPIPE, SIG_IGN)
        for (number, source) in sources {
            // The handler is a function pointer without `==`. SIG_IGN is a number in its place.
            let previous = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
            // `nohup` has set SIGHUP to be ignored. The signal then ends no command, and still runs
            // the action.
            let isIgnored = number == SIGHUP && previous == unsafeBitCast(SIG_IGN, to: Int.self)
            source.setEventHandler { [self] in
                if number == SIGHUP, isIgnored || !isTerminalGone, surroundings.hangup.run() { return }
                if isIgnored { return }
                // The terminal sends it to the pager, too. If this process ended, the pager would
                // lose its terminal.
                if number == SIGINT, surroundings.pager.isShown { return }
                let isFirst = first.withLock { first in
                    defer { first = first ?? number }
                    return first == nil
                }
                guard isFirst else { leave("cancelled by a second signal") }
                cancel()
                queue.asyncAfter(deadline: .now() + .seconds(Self.grace)) { [self] in
                    leave("cancelled; the command did not end by itself within \(Self.grace) s, and was ended")
                }
            }
            source.activate()
        }
    }

    /// Returns the exit status of a run that may have been interrupted.
    public func status(of status: ProcessStatus) -> ProcessStatus {
        guard status == .cancelled, let number = first.withLock({ $0 }) else { return status }
        return .signal(number)
    }

    /// Whether SIGHUP came from the terminal, which was closed.
    ///
    /// Its descriptor then no longer answers as a terminal. Without this test, a closed window
    /// would leave a gateway behind that only reloaded its certificate.
    private var isTerminalGone: Bool { hadTerminal && !Descriptor.standardInput.isTerminal }

    private func leave(_ reason: String) -> Never {
        surroundings.scratch.removeAll()
        // Writes only if it can't block: a reader that has stopped reading must not keep the
        // process alive.
        var error = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        if poll(&error, 1, 0) == 1 { surroundings.writeError("wharf: \(reason)\n") }
        _exit(status(of: .cancelled).code)
    }
}
