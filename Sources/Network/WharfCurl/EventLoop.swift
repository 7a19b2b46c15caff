#if os(Linux)
internal import CCurl
internal import Synchronization
internal import WharfCore

/// The event thread of one transport, with the mailbox for commands of other threads.
///
/// libcurl allows only one thread at a time in a multi handle. Other threads leave commands here
/// and call `curl_multi_wakeup`, the one function that any thread may call.
final class EventLoop: Sendable {
    enum Command: Sendable {
        case start(Exchange)
        /// The reader took the buffered bytes.
        case receive(Exchange)
        /// There are more bytes to send.
        case send(Exchange)
        case remove(Exchange)
        /// Ends the thread after the last transfer.
        case drain
        case stop
    }

    private struct Mailbox {
        var commands: [Command] = []
        /// Whether the thread has been told to stop. It takes no later command, so no command may
        /// be left here.
        var isStopped = false
        /// Nil after the thread's end. The thread is woken under the lock, because waking a
        /// released handle would write to freed memory.
        var multi: Multi?
    }

    /// Unchecked because a pointer is not sendable. Only the thread uses it; other threads only
    /// wake the thread by it.
    private struct Multi: @unchecked Sendable {
        let raw: UnsafeMutableRawPointer
    }

    // Lock order: an exchange takes this lock after it has released its own. The loop calls no
    // exchange while it holds it.
    private let mailbox: Mutex<Mailbox>
    private let options: CurlOptions
    /// The reason why there is no thread; nil if there is one.
    private let failure: TransportError?

    /// The number of idle connections that are kept for later requests, to all hosts.
    private static let keptConnections = 64

    static func start(_ options: CurlOptions) -> EventLoop {
        // `curl_global_init` must precede each other call of libcurl.
        guard wharf_curl_is_ready() != 0, let multi = curl_multi_init() else {
            return EventLoop(options, nil, .noThread("libcurl could not be set up"))
        }
        wharf_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, keptConnections)
        let loop = EventLoop(options, Multi(raw: multi), nil)
        // The thread owns this reference from its first line on. Without a thread it is released
        // below.
        let context = Unmanaged.passRetained(loop)
        let number = wharf_start_thread(
            { Unmanaged<EventLoop>.fromOpaque($0!).takeRetainedValue().run() }, context.toOpaque())
        guard number != 0 else { return loop }
        // The first loop is dropped unused. Its mailbox still has the pointer that is freed here,
        // but only `tell` reads it, and no caller has this loop.
        context.release()
        curl_multi_cleanup(multi)
        return EventLoop(options, nil, .noThread("the system created no thread (error \(number))"))
    }

    private init(_ options: CurlOptions, _ multi: Multi?, _ failure: TransportError?) {
        self.options = options
        self.mailbox = Mutex(Mailbox(multi: multi))
        self.failure = failure
    }

    /// - Throws: an error if the loop has ended.
    func post(_ command: Command) throws(TransportError) {
        guard tell(command) else { throw failure ?? .closed }
    }

    /// - Returns: false if the loop has ended and the command has no effect.
    @discardableResult
    func tell(_ command: Command) -> Bool {
        mailbox.withLock { mailbox in
            guard let multi = mailbox.multi, !mailbox.isStopped else { return false }
            mailbox.commands.append(command)
            // The flag is set with the append, so `stop` is the last accepted command. A later
            // `start` would be lost, and its caller would wait for ever.
            if case .stop = command { mailbox.isStopped = true }
            // One wakeup serves all commands that the thread has not taken yet. No wakeup is lost
            // between `taken()` and `curl_multi_poll`, because libcurl keeps it.
            if mailbox.commands.count == 1 { curl_multi_wakeup(multi.raw) }
            return true
        }
    }

    private func run() {
        // Only this thread sets the mailbox's pointer to nil, so the local copy stays valid until
        // the cleanup below.
        guard let multi = mailbox.withLock({ $0.multi }) else { return }
        let transfers = TransferSet(multi.raw, options)
        var isDraining = false
        loop: while true {
            // Commands come first: a removed transfer releases its permit before more bytes move.
            for command in taken() {
                switch command {
                case .start(let exchange): transfers.start(exchange)
                case .receive(let exchange): transfers.resumeReceiving(exchange)
                case .send(let exchange): transfers.resumeSending(exchange)
                case .remove(let exchange): transfers.remove(exchange)
                case .drain: isDraining = true
                case .stop: break loop
                }
            }
            transfers.perform()
            // A waiting exchange has a running one at its host. No transfer therefore means that no
            // exchange waits.
            if isDraining, transfers.isEmpty { break }
            // libcurl's own timers end the wait earlier.
            curl_multi_poll(multi.raw, nil, 0, 60_000, nil)
        }
        // The loop accepts no command from here on, so this list has all accepted commands.
        // From here on `tell` finds no pointer, so no other thread can wake a handle that is being
        // freed.
        let last = mailbox.withLock { mailbox in
            defer { mailbox = Mailbox() }
            return mailbox.commands
        }
        // Ending an exchange calls `tell`, which takes the mailbox's lock. So the lock is free
        // here.
        transfers.stop()
        // libcurl requires that all easy handles are removed and the thread is outside of libcurl.
        // `stop()` has removed them.
        curl_multi_cleanup(multi.raw)
        // These exchanges were accepted, so their callers wait for an end.
        for case .start(let exchange) in last { exchange.fail(.closed) }
    }

    private func taken() -> [Command] {
        // Taking empties the mailbox, so the next command is the first one again and wakes the
        // thread.
        mailbox.withLock { mailbox in
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
    }
}

extension TransportError {
    fileprivate static func noThread(_ reason: String) -> TransportError {
        TransportError(
            .connectionFailed,
            message: "no request can be sent: \(reason); free memory or threads, and make a new transport")
    }
}
#endif
