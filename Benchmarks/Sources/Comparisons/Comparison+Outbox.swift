extension Timing {
    // With synchronous=FULL, measured in turn.
    /// Inserts of the same bytes into a bare table.
    public static let enqueueBare = Timing("outbox.enqueue", "outbox.enqueue.bare", operations: 20)
    /// Enqueues of one entry after another.
    public static let enqueueOne = Timing("outbox.enqueue", "outbox.enqueue.one", operations: 20)
    /// Enqueues by 64 concurrent tasks.
    public static let enqueueMany = Timing("outbox.enqueue", "outbox.enqueue.many", operations: 256)
    /// A drain of 100,000 entries, delivered one by one.
    public static let drain = Timing("outbox.drain", "outbox.drain.all", operations: 100_000)
    /// A drain of 100,000 entries to a destination of batches.
    public static let drainBatches = Timing("outbox.drain-batches", "outbox.drain-batches.all", operations: 100_000)
    /// The opening of an outbox with a million entries.
    public static let outboxOpening = Timing("outbox.open", operations: 1)
}

extension Comparison {
    static let outbox: [Comparison] = [
        Comparison(
            "outbox, one enqueue after another: bare insert / ours", .enqueueOne,
            .speedup(atLeast: 0.6, over: .enqueueBare)),
        Comparison(
            "outbox, 64 that enqueue at once: one after another / at once", .enqueueMany,
            .speedup(atLeast: 5, over: .enqueueOne)),
        // That is 20,000 per second. They are settled one by one, those of up to 256 lanes in one
        // commit.
        Comparison("outbox, drain of 100,000 in 1,000 lanes, each", .drain, .time(atMost: .microseconds(50))),
        Comparison(
            "outbox: one enqueue after another / drain, each", .drain, .speedup(atLeast: nil, over: .enqueueOne)),
        Comparison(
            "outbox, drain of 100,000 in 1,000 lanes to a destination of batches, each", .drainBatches,
            .time(atMost: .microseconds(50))),
        Comparison(
            "outbox: one enqueue after another / drain in batches, each", .drainBatches,
            .speedup(atLeast: nil, over: .enqueueOne)),
        Comparison(
            "outbox: open with 1,000,000 pending, count and lease", .outboxOpening, .time(atMost: .milliseconds(100))),
    ]
}
