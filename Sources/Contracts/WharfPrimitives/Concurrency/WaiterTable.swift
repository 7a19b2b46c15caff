/// A waiter's place in a monitor: reserved under the lock, awaited later.
///
/// Each ticket is awaited at most once. A ticket that is not awaited must be withdrawn. Otherwise
/// its slot stays taken as long as the monitor exists.
package struct WaitTicket: Hashable, Sendable {
    fileprivate let slot: Int32
    /// The number, which grows with each ticket of a monitor and is never reused.
    fileprivate let number: UInt64

    /// Whether `self` was reserved before `other` in the same monitor.
    func precedes(_ other: WaitTicket) -> Bool { number < other.number }
}

/// A FIFO queue of waiters in a monitor. Each monitor has a main queue.
package struct WaitQueue: Hashable, Sendable {
    fileprivate let head: Int32

    package static var main: WaitQueue { WaitQueue(head: 0) }
}

/// The waiters of a monitor, in one array without an allocation per waiter.
///
/// A queue is a ring of slots that starts and ends at its head, a slot without a waiter. A waiter
/// therefore leaves its queue in O(1) and needs no reference to the queue: 10,000 waiters that are
/// cancelled at once cost 10,000 steps. Free slots are linked by `next`.
///
/// Invariants:
/// - A continuation leaves its slot in the same step that decides its waiter, under the monitor's
///   lock. Each one is therefore resumed exactly once, and needs no check of its own.
/// - A slot is in a ring if and only if its waiter was reserved in a queue and is undecided.
/// - A slot has the number of its present ticket. A cancellation handler that runs after its waiter
///   was resumed finds another number, even if a later waiter has the slot.
struct WaiterTable: Sendable {
    private enum Phase {
        case free
        case head
        /// Undecided, and its task does not wait yet.
        case reserved
        /// Undecided, and its task is suspended.
        case suspended(UnsafeContinuation<Bool, Never>)
        /// Decided before its task waits: resumed or cancelled.
        case decided(Bool)
    }

    private struct Slot {
        var phase: Phase
        var next: Int32
        var previous: Int32
        var number: UInt64 = 0
    }

    enum Decision {
        /// The ticket was already decided.
        case tooLate
        /// The decision is stored until the task waits.
        case stored
        case resume(UnsafeContinuation<Bool, Never>)
    }

    /// The first slot is the head of the main queue. The array is empty before the first waiter.
    private var slots: [Slot] = []
    private var firstFree: Int32 = none
    private var lastNumber: UInt64 = 0
    /// The number of slots that are neither free nor the head of the main queue.
    private var occupied = 0
    /// The number of undecided waiters.
    private(set) var undecided = 0

    private static let none: Int32 = -1
    /// The limit of slots that an unused array keeps, as after a burst of waiters.
    private static let mostKeptSlots = 64

    // MARK: Queues

    mutating func makeQueue() -> WaitQueue {
        let index = allocate(.head)
        (slots[Int(index)].next, slots[Int(index)].previous) = (index, index)
        return WaitQueue(head: index)
    }

    /// - Precondition: the queue is empty.
    mutating func remove(_ queue: WaitQueue) {
        // A waiter in the ring would link to a slot that the next ticket overwrites.
        precondition(isEmpty(queue), "a queue was removed while tasks waited in it")
        release(queue.head)
    }

    func isEmpty(_ queue: WaitQueue) -> Bool {
        slots.isEmpty || slots[Int(queue.head)].next == queue.head
    }

    func first(of queue: WaitQueue) -> WaitTicket? {
        guard !isEmpty(queue) else { return nil }
        let index = slots[Int(queue.head)].next
        return WaitTicket(slot: index, number: slots[Int(index)].number)
    }

    // MARK: Waiters

    /// Reserves a slot for a waiter.
    ///
    /// - Parameter queue: nil for a waiter that is resumed only by its ticket.
    mutating func reserve(in queue: WaitQueue?) -> WaitTicket {
        let index = allocate(.reserved)
        lastNumber += 1
        slots[Int(index)].number = lastNumber
        undecided += 1
        if let queue {
            let last = slots[Int(queue.head)].previous
            (slots[Int(index)].previous, slots[Int(index)].next) = (last, queue.head)
            slots[Int(last)].next = index
            slots[Int(queue.head)].previous = index
        } else {
            (slots[Int(index)].previous, slots[Int(index)].next) = (index, index)
        }
        return WaitTicket(slot: index, number: lastNumber)
    }

    /// Whether the ticket was neither resumed nor cancelled nor withdrawn.
    func isUndecided(_ ticket: WaitTicket) -> Bool {
        guard isCurrent(ticket) else { return false }
        switch slots[Int(ticket.slot)].phase {
        case .reserved, .suspended: return true
        case .free, .head, .decided: return false
        }
    }

    /// Stores the continuation until the ticket is decided.
    ///
    /// - Returns: the decision, if the ticket is already decided.
    mutating func suspend(_ ticket: WaitTicket, _ continuation: UnsafeContinuation<Bool, Never>) -> Bool? {
        precondition(isCurrent(ticket), "a ticket was awaited twice, or after it was withdrawn")
        switch slots[Int(ticket.slot)].phase {
        case .reserved:
            slots[Int(ticket.slot)].phase = .suspended(continuation)
            return nil
        case .decided(let isResumed):
            release(ticket.slot)
            return isResumed
        case .free, .head, .suspended:
            preconditionFailure("a ticket was awaited twice")
        }
    }

    mutating func decide(_ ticket: WaitTicket, isResumed: Bool) -> Decision {
        guard isUndecided(ticket) else { return .tooLate }
        undecided -= 1
        // A decided waiter leaves its ring at once, so that the next resumption goes to an
        // undecided one.
        unlink(ticket.slot)
        guard case .suspended(let continuation) = slots[Int(ticket.slot)].phase else {
            // The slot stays taken until the task suspends or the ticket is withdrawn: it holds the
            // decision.
            slots[Int(ticket.slot)].phase = .decided(isResumed)
            return .stored
        }
        release(ticket.slot)
        return .resume(continuation)
    }

    /// Gives up a ticket that no task awaits or will await.
    ///
    /// - Returns: whether it was undecided.
    mutating func withdraw(_ ticket: WaitTicket) -> Bool {
        // The ticket was awaited to its end before, and its slot may belong to a later ticket.
        guard isCurrent(ticket) else { return false }
        switch slots[Int(ticket.slot)].phase {
        case .reserved:
            undecided -= 1
            unlink(ticket.slot)
            release(ticket.slot)
            return true
        case .decided:
            release(ticket.slot)
            return false
        case .suspended: preconditionFailure("a ticket was withdrawn while a task waited for it")
        case .free, .head: return false
        }
    }

    // MARK: Slots

    // Numbers start at 1 and are never reused. Heads and free slots have the number 0, so no ticket
    // matches them.
    private func isCurrent(_ ticket: WaitTicket) -> Bool {
        // The array may have been released since, and be shorter now.
        ticket.slot < slots.count && slots[Int(ticket.slot)].number == ticket.number
    }

    // A waiter outside of the queues is a ring of its own, so the same two lines serve it.
    private mutating func unlink(_ index: Int32) {
        let (previous, next) = (slots[Int(index)].previous, slots[Int(index)].next)
        slots[Int(previous)].next = next
        slots[Int(next)].previous = previous
    }

    private mutating func allocate(_ phase: Phase) -> Int32 {
        // `WaitQueue.main` is a constant, so its head must be slot 0 also after the array was
        // released.
        if slots.isEmpty { slots.append(Slot(phase: .head, next: 0, previous: 0)) }
        occupied += 1
        guard firstFree != Self.none else {
            slots.append(Slot(phase: phase, next: Self.none, previous: Self.none))
            return Int32(slots.count - 1)
        }
        let index = firstFree
        firstFree = slots[Int(index)].next
        slots[Int(index)].phase = phase
        return index
    }

    private mutating func release(_ index: Int32) {
        occupied -= 1
        // Heads of other queues count as occupied. Their owners hold the index, so the array must
        // not be released below them.
        if occupied == 0, slots.count > Self.mostKeptSlots {
            (slots, firstFree) = ([], Self.none)
            return
        }
        // Reset the number too, so that an old ticket does not match a free slot.
        slots[Int(index)] = Slot(phase: .free, next: firstFree, previous: Self.none)
        firstFree = index
    }
}
