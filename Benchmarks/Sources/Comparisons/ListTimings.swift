extension Timing {
    // A fifth of the rows are deleted, as many inserted, and a twenty-fifth moved.
    /// Changes of a list of 5,000 rows.
    public static let list5000 = Timing("lists", "lists.5000.wharf", operations: 10)
    /// The standard library's difference of the same ids.
    public static let list5000Standard = Timing("lists", "lists.5000.standard", operations: 1)
    /// Changes of a list of 25,000 rows.
    public static let list25000 = Timing("lists", "lists.25000.wharf", operations: 4)
    /// Changes of a list of 100,000 rows.
    public static let list100000 = Timing("lists", "lists.100000.wharf", operations: 1)
    // The standard library takes about a minute for these.
    /// Changes of a list of 100,000 rows, beside the standard library.
    public static let listOnce = Timing("lists-once", "lists.100000-once.wharf", operations: 20)
    /// The standard library's difference of the same ids.
    public static let listOnceStandard = Timing("lists-once", "lists.100000-once.standard", operations: 1)
}

extension Comparison {
    /// Only the standard library is compared, as this package does not depend on similar libraries.
    static let lists: [Comparison] = [
        Comparison(
            "list of 5,000 rows: difference(from:) of the ids / changes", .list5000,
            .speedup(atLeast: 100, over: .list5000Standard)),
        Comparison(
            "list of 100,000 rows: difference(from:) of the ids / changes", .listOnce,
            .speedup(atLeast: 100, over: .listOnceStandard)),
        // Four times as many rows, of which the CPU's caches hold a smaller part.
        Comparison("changes of 100,000 rows / of 25,000", .list100000, .ratio(atMost: 6, to: .list25000)),
    ]
}
