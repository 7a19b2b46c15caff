/// The waiters of a monitor, and the effects of one change of its state.
///
/// A change only registers effects. The monitor performs them after it has released its lock:
/// first the callbacks in the order of their registration, then the resumptions in FIFO order. So
/// a resumed waiter finds the callbacks performed.
package struct Effects: Sendable {
    var waiters = WaiterTable()
    var pending = Pending()

    init() {}

    // MARK: Waiters

    /// Undecided waiters of the monitor: in all queues, and with a ticket alone.
    package var waiting: Int { waiters.undecided }

    /// Whether no undecided waiter is in the queue.
    package func isEmpty(_ queue: WaitQueue = .main) -> Bool { waiters.isEmpty(queue) }

    /// Whether the ticket is neither resumed nor cancelled yet.
    package func isUndecided(_ ticket: WaitTicket) -> Bool { waiters.isUndecided(ticket) }

    /// Makes another FIFO queue, for a monitor that has one for each key.
    package mutating func makeQueue() -> WaitQueue { waiters.makeQueue() }

    /// Removes an empty queue that ``makeQueue()`` made.
    package mutating func remove(_ queue: WaitQueue) { waiters.remove(queue) }

    /// Reserves the last place in a queue, to be awaited by `Monitor.wait(for:)`.
    package mutating func reserve(in queue: WaitQueue = .main) -> WaitTicket { waiters.reserve(in: queue) }

    /// Reserves a place outside of the queues. Only ``resume(_:)`` resumes it.
    package mutating func reserveUnqueued() -> WaitTicket { waiters.reserve(in: nil) }

    /// Gives up a ticket that no task awaits or will await.
    ///
    /// - Returns: whether it was undecided. False means that a resumption has gone to it already.
    package mutating func withdraw(_ ticket: WaitTicket) -> Bool { waiters.withdraw(ticket) }

    /// Resumes the waiter of a ticket, also if its task comes to wait only later.
    ///
    /// - Returns: false if the ticket was decided before.
    @discardableResult
    package mutating func resume(_ ticket: WaitTicket) -> Bool {
        switch waiters.decide(ticket, isResumed: true) {
        case .tooLate: return false
        case .stored: return true
        case .resume(let continuation):
            pending.add(continuation)
            return true
        }
    }

    /// Resumes the waiter that is first in the queue; false if there is none.
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
    /// Effects that were taken out from under the lock, to be performed once.
    struct Pending: Sendable {
        // One waiter is the common case, and needs no array.
        private var first: UnsafeContinuation<Bool, Never>?
        private var others: [UnsafeContinuation<Bool, Never>] = []
        fileprivate var callbacks: [@Sendable () -> Void] = []

        init() {}

        var isEmpty: Bool { first == nil && callbacks.isEmpty }

        fileprivate mutating func add(_ continuation: UnsafeContinuation<Bool, Never>) {
            if first == nil { first = continuation } else { others.append(continuation) }
        }

        mutating func take() -> Pending {
            defer { self = Pending() }
            return self
        }

        func perform() {
            for callback in callbacks { callback() }
            first?.resume(returning: true)
            for continuation in others { continuation.resume(returning: true) }
        }
    }
}
