import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Ctrl-C and its kin: the first one cancels the run, and five seconds later, or with the second one, the process ends without
/// waiting for it. Either way no temporary file is left.
public final class Interrupts: @unchecked Sendable {
    // Unchecked for `sources` alone: they are made here and touched by `listen` only, and Dispatch locks them itself.
    private static let grace = DispatchTimeInterval.seconds(5)
    private let first = Mutex<Int32?>(nil)
    private let queue: DispatchQueue
    private let sources: [(number: Int32, source: any DispatchSourceSignal)]
    private let scratch: Scratch

    /// - Parameter scratch: what is removed before the process ends.
    public init(scratch: Scratch) {
        let queue = DispatchQueue(label: "wharf.interrupts")
        self.queue = queue
        self.scratch = scratch
        sources = [SIGINT, SIGTERM, SIGHUP].map { ($0, DispatchSource.makeSignalSource(signal: $0, queue: queue)) }
    }

    /// Begins to listen, once. A broken pipe no longer ends the process; it is an error of the write.
    ///
    /// - Parameter cancel: cancels the run.
    public func listen(_ cancel: @escaping @Sendable () -> Void) {
        signal(SIGPIPE, SIG_IGN)
        for (number, source) in sources {
            // The handler is a function pointer, which has no `==`; ignoring is a number in its place.
            let previous = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
            // What `nohup` has told us to ignore stays ignored.
            if number == SIGHUP, previous == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
            source.setEventHandler { [self] in
                let isFirst = first.withLock { first in
                    defer { first = first ?? number }
                    return first == nil
                }
                guard isFirst else { leave() }
                cancel()
                queue.asyncAfter(deadline: .now() + Self.grace) { [self] in leave() }
            }
            source.activate()
        }
    }

    /// The status of a run that may have been interrupted.
    public func status(of status: ProcessStatus) -> ProcessStatus {
        guard status == .cancelled, let number = first.withLock({ $0 }) else { return status }
        return .signal(number)
    }

    private func leave() -> Never {
        scratch.removeAll()
        _exit(status(of: .cancelled).code)
    }
}
