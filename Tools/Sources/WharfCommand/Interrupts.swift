import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Ctrl-C and its kin: the first one cancels the run, and one second later, or with the second one, the process ends without
/// waiting for it. Either way no temporary file is left.
public final class Interrupts: Sendable {
    private struct State {
        var sources: [any DispatchSourceSignal] = []
        var signal: Int32?
    }

    private static let grace = DispatchTimeInterval.seconds(1)
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "wharf.interrupts")
    private let scratch: Scratch

    public init(scratch: Scratch) { self.scratch = scratch }

    /// Begins to listen. A broken pipe no longer ends the process; it is an error of the write.
    ///
    /// - Parameter cancel: cancels the run.
    public func listen(_ cancel: @escaping @Sendable () -> Void) {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // What a parent has told us to ignore (nohup) stays ignored.
            guard signal(number, SIG_IGN) != SIG_IGN || number != SIGHUP else { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in
                let isFirst = state.withLock { state in
                    defer { state.signal = state.signal ?? number }
                    return state.signal == nil
                }
                guard isFirst else { leave() }
                cancel()
                queue.asyncAfter(deadline: .now() + Self.grace) { [self] in leave() }
            }
            source.resume()
            state.withLock { $0.sources.append(source) }
        }
    }

    /// The status of a run that may have been interrupted.
    public func status(of status: ExitStatus) -> ExitStatus {
        guard status == .cancelled, let number = state.withLock({ $0.signal }) else { return status }
        return .signal(number)
    }

    private func leave() -> Never {
        scratch.removeAll()
        _exit(status(of: .cancelled).code)
    }
}
