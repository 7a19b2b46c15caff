/// The waiters of a monitor, and the effects of one change of its state.
///
/// A change only registers effects. The monitor performs them after it has released its lock: first
/// the callbacks in the order of their registration, then the resumptions in FIFO order. When a
/// waiter resumes, the callbacks have therefore run.
package struct Effects: Sendable {
    var waiters = WaiterTable()
    var pending = Pending()

    init() {}

    // MARK: Waiters

    /// The number of undecided waiters, in all queues and outside of queues.
    package var waiting: Int { waiters.undecided }

    /// Whether no undecided waiter is in the queue.
    package func isEmpty(_ queue: WaitQueue = .main) -> Bool { waiters.isEmpty(queue) }

    /// Whether the ticket is neither resumed nor cancelled.
    package func isUndecided(_ ticket: WaitTicket) -> Bool { waiters.isUndecided(ticket) }

    /// Creates another FIFO queue, for a monitor with one queue per key.
    package mutating func makeQueue() -> WaitQueue { waiters.makeQueue() }

    /// Removes an empty queue that was created by ``makeQueue()``.
    package mutating func remove(_ queue: WaitQueue) { waiters.remove(queue) }

    /// Reserves the last place in a queue. `Monitor.wait(for:)` waits for it.
    package mutating func reserve(in queue: WaitQueue = .main) -> WaitTicket { waiters.reserve(in: queue) }

    /// Reserves a place outside of the queues. Only ``resume(_:)`` resumes it.
    package mutating func reserveUnqueued() -> WaitTicket { waiters.reserve(in: nil) }

    /// Gives up a ticket that no task awaits or will await.
    ///
    /// - Returns: whether it was undecided. If not, it has already received a resumption.
    package mutating func withdraw(_ ticket: WaitTicket) -> Bool { waiters.withdraw(ticket) }

    /// Resumes the waiter of a ticket, even if its task waits only later.
    ///
    /// - Returns: false if the ticket was already decided.
    @discardableResult
    package mutating func resume(_ ticket: WaitTicket) -> Bool {
        switch waiters.decide(ticket, isResumed: true) {
        // A cancellation or an earlier resumption has taken the continuation. To resume it again is
        // undefined behaviour.
        case .tooLate: return false
        // The task has reserved its ticket and does not suspend yet. It finds the decision when it
        // does.
        case .stored: return true
        case .resume(let continuation):
            pending.add(continuation)
            return true
        }
    }

    /// Resumes the first waiter of the queue; false if there is none.
    @discardableResult
    package mutating func resumeFirst(of queue: WaitQueue = .main) -> Bool {
        guard let first = waiters.first(of: queue) else { return false }
        return resume(first)
    }

    /// Resumes all waiters of the queue in FIFO order.
    package mutating func resumeAll(of queue: WaitQueue = .main) {
        while resumeFirst(of: queue) {}
    }

    // MARK: Callbacks

    /// Registers a callback. It runs outside of the lock, on the thread that made the change.
    package mutating func perform(_ callback: @escaping @Sendable () -> Void) { pending.callbacks.append(callback) }

    /// Cancels a task. Its cancellation handlers run outside of the lock.
    package mutating func cancel(_ task: Task<Void, Never>?) {
        if let task { perform { task.cancel() } }
    }
}

extension Effects {
    /// The effects taken from under the lock, to be performed once.
    struct Pending: Sendable {
        // One waiter is the common case and needs no array.
        private var first: UnsafeContinuation<Bool, Never>?
        private var others: [UnsafeContinuation<Bool, Never>] = []
        fileprivate var callbacks: [@Sendable () -> Void] = []

        init() {}

        // Invariant: `others` is empty if `first` is nil, so `first` alone says whether a waiter is
        // resumed.
        var isEmpty: Bool { first == nil && callbacks.isEmpty }

        fileprivate mutating func add(_ continuation: UnsafeContinuation<Bool, Never>) {
            if first == nil { first = continuation } else { others.append(continuation) }
        }

        mutating func take() -> Pending {
            defer { self = Pending() }
            return self
        }

        func perform() {
            // Callbacks come first: a resumed waiter may rely on a cancellation or a yield of the
            // same change.
            for callback in callbacks { callback() }
            first?.resume(returning: true)
            for continuation in others { continuation.resume(returning: true) }
        }
    }
}
