/// One thing that is timed. A sample is several operations in a row where one is too short for the
/// clock, and no more than pass between two turns of other processes, so that the median is that of
/// an undisturbed run.
public struct Timing: Sendable, Hashable {
    /// As the benchmark is called in the export: no spaces, which the export would replace.
    public let name: String
    /// Where a benchmark times several things in turn, the metric that it measures this one as, in
    /// nanoseconds.
    public let part: String?
    /// Operations in one sample; each figure of the export is divided by it.
    public let operations: Int

    init(_ name: String, _ part: String? = nil, operations: Int) {
        self.name = name
        self.part = part
        self.operations = operations
    }

    // The memory tier.
    public static let memoryHot = Timing("memory.2KB.hot.wharf", operations: 200)
    public static let memoryHotDictionary = Timing("memory.2KB.hot.dictionary", operations: 1_000)
    public static let memoryRandom = Timing("memory.2KB.random.wharf", operations: 200)
    public static let memoryRandomDictionary = Timing("memory.2KB.random.dictionary", operations: 1_000)

    // The SQLite tier.
    public static let sqliteHot = Timing("sqlite.2KB.hot.wharf", operations: 10)
    public static let sqliteHotPool = Timing("sqlite.2KB.hot.pool", operations: 10)
    public static let sqliteRandom = Timing("sqlite.2KB.random.wharf", operations: 10)
    public static let sqliteRandomPool = Timing("sqlite.2KB.random.pool", operations: 10)
    public static let sqliteLargeHot = Timing("sqlite.200KB.hot.wharf", operations: 5)
    public static let sqliteLargeHotPool = Timing("sqlite.200KB.hot.pool", operations: 5)
    public static let sqliteLargeRandom = Timing("sqlite.200KB.random.wharf", operations: 5)
    public static let sqliteLargeRandomPool = Timing("sqlite.200KB.random.pool", operations: 5)
    public static let opening = Timing("sqlite.2KB.open.wharf", operations: 1)

    // Repositories.
    public static let modelHot = Timing("model.2KB.hot.wharf", operations: 1_000)
    public static let modelHotDictionary = Timing("model.2KB.hot.dictionary", operations: 1_000)
    public static let modelRandom = Timing("model.2KB.random.wharf", operations: 1_000)
    public static let modelRandomDictionary = Timing("model.2KB.random.dictionary", operations: 1_000)
    public static let modelStored = Timing("model.2KB.stored.wharf", operations: 10)
    public static let modelStoredRecord = Timing("model.2KB.stored.record", operations: 10)
    public static let shared = Timing("flight.1000-callers.wharf", operations: 1)
    public static let sharedTask = Timing("flight.1000-callers.task", operations: 1)
    public static let sharedAlone = Timing("flight.1-caller.wharf", operations: 1)
    public static let firstPage = Timing("page.first-of-100000.wharf", operations: 1)
    public static let firstPageRecords = Timing("page.first-of-100000.records", operations: 1)

    // Rows of lists.
    public static let rowBare = Timing("row.bare", operations: 10_000)
    public static let rowOneLayer = Timing("row.one-layer", operations: 10_000)
    public static let rowSixLayers = Timing("row.six-layers", operations: 10_000)
    public static let rowErased = Timing("row.any.bare", operations: 1_000)
    public static let rowErasedOneLayer = Timing("row.any.one-layer", operations: 1_000)
    public static let rowErasedSixLayers = Timing("row.any.six-layers", operations: 1_000)

    // A million entries.
    public static let millionRandom = Timing("sqlite.2KB.random-of-million.wharf", operations: 10)
    public static let millionRandomPool = Timing("sqlite.2KB.random-of-million.pool", operations: 10)
    public static let millionOpening = Timing("sqlite.2KB.open-million.wharf", operations: 1)
}
