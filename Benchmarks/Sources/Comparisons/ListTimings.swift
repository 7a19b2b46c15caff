extension Timing {
    // A fifth of the rows deleted, as many inserted, a twenty-fifth moved.
    public static let list5000 = Timing("lists", "lists.5000.wharf", operations: 10)
    public static let list5000Standard = Timing("lists", "lists.5000.standard", operations: 1)
    public static let list25000 = Timing("lists", "lists.25000.wharf", operations: 4)
    public static let list100000 = Timing("lists", "lists.100000.wharf", operations: 1)
    // The standard library takes about a minute.
    public static let listOnce = Timing("lists-once", "lists.100000-once.wharf", operations: 20)
    public static let listOnceStandard = Timing("lists-once", "lists.100000-once.standard", operations: 1)
}

extension Comparison {
    /// With the standard library alone: other libraries that do this are no dependencies of this
    /// package.
    static let lists: [Comparison] = [
        Comparison(
            "list of 5,000 rows: difference(from:) of the ids / changes", .list5000,
            .speedup(atLeast: 100, over: .list5000Standard)),
        Comparison(
            "list of 100,000 rows: difference(from:) of the ids / changes", .listOnce,
            .speedup(atLeast: 100, over: .listOnceStandard)),
        // Four times as many, and caches that hold less of them.
        Comparison("changes of 100,000 rows / of 25,000", .list100000, .ratio(atMost: 6, to: .list25000)),
    ]
}
