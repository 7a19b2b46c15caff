/// One timed benchmark.
///
/// If one operation is too short for the clock, a sample is several in a row. A sample is shorter
/// than a scheduler's time slice, so that the median is that of an undisturbed run.
public struct Timing: Sendable, Hashable {
    /// The name of the benchmark in the export. It has no spaces, as the export would replace them.
    public let name: String
    /// The metric in nanoseconds, if the benchmark times several ways in turn.
    public let part: String?
    /// The number of operations in one sample.
    ///
    /// Each figure of the export is divided by it.
    public let operations: Int

    init(_ name: String, _ part: String? = nil, operations: Int) {
        self.name = name
        self.part = part
        self.operations = operations
    }

    // The memory tier.
    /// Hits of one entry in the memory cache.
    public static let memoryHot = Timing("memory.2KB.hot", "memory.2KB.hot.wharf", operations: 200)
    /// Reads of one entry in a locked dictionary.
    public static let memoryHotDictionary = Timing(
        "memory.2KB.hot", "memory.2KB.hot.dictionary", operations: 1_000)
    /// Hits of random entries in the memory cache.
    public static let memoryRandom = Timing("memory.2KB.random", "memory.2KB.random.wharf", operations: 200)
    /// Reads of random entries in a locked dictionary.
    public static let memoryRandomDictionary = Timing(
        "memory.2KB.random", "memory.2KB.random.dictionary", operations: 1_000)

    // The SQLite tier.
    /// Hits of one entry in the cache file.
    public static let sqliteHot = Timing("sqlite.2KB.hot", "sqlite.2KB.hot.wharf", operations: 10)
    /// Reads of one entry of the same file by GRDB alone.
    public static let sqliteHotPool = Timing("sqlite.2KB.hot", "sqlite.2KB.hot.pool", operations: 10)
    /// Reads of one row by its primary key, by GRDB alone.
    public static let sqliteHotRow = Timing("sqlite.2KB.hot", "sqlite.2KB.hot.row", operations: 10)
    /// Hits of random entries in the cache file.
    public static let sqliteRandom = Timing("sqlite.2KB.random", "sqlite.2KB.random.wharf", operations: 10)
    /// Reads of random entries of the same file by GRDB alone.
    public static let sqliteRandomPool = Timing("sqlite.2KB.random", "sqlite.2KB.random.pool", operations: 10)
    /// Reads of random rows by their primary keys, by GRDB alone.
    public static let sqliteRandomRow = Timing("sqlite.2KB.random", "sqlite.2KB.random.row", operations: 10)
    /// Hits of one entry of 200 KB in the cache file.
    public static let sqliteLargeHot = Timing("sqlite.200KB.hot", "sqlite.200KB.hot.wharf", operations: 5)
    /// Reads of one entry of 200 KB by GRDB alone.
    public static let sqliteLargeHotPool = Timing("sqlite.200KB.hot", "sqlite.200KB.hot.pool", operations: 5)
    /// Hits of random entries of 200 KB in the cache file.
    public static let sqliteLargeRandom = Timing("sqlite.200KB.random", "sqlite.200KB.random.wharf", operations: 5)
    /// Reads of random entries of 200 KB by GRDB alone.
    public static let sqliteLargeRandomPool = Timing("sqlite.200KB.random", "sqlite.200KB.random.pool", operations: 5)
    /// Hits of random entries of 1 MiB, whose bodies are files beside the cache file.
    public static let bodyFile = Timing("body-file.1MiB.random", "body-file.1MiB.random.wharf", operations: 2)
    /// Reads of random files of 1 MiB.
    public static let bodyFileRead = Timing("body-file.1MiB.random", "body-file.1MiB.random.pread", operations: 2)
    /// The opening of the cache file.
    public static let opening = Timing("sqlite.2KB.open.wharf", operations: 1)

    // Repositories.
    /// Reads of one model in memory.
    public static let modelHot = Timing("model.2KB.hot", "model.2KB.hot.wharf", operations: 1_000)
    /// Reads of one model in a locked dictionary.
    public static let modelHotDictionary = Timing(
        "model.2KB.hot", "model.2KB.hot.dictionary", operations: 1_000)
    /// Reads of random models in memory.
    public static let modelRandom = Timing("model.2KB.random", "model.2KB.random.wharf", operations: 1_000)
    /// Reads of random models in a locked dictionary.
    public static let modelRandomDictionary = Timing(
        "model.2KB.random", "model.2KB.random.dictionary", operations: 1_000)
    /// Reads of random models in a data file.
    public static let modelStored = Timing("model.2KB.stored", "model.2KB.stored.wharf", operations: 10)
    /// Reads of random records by GRDB alone.
    public static let modelStoredRecord = Timing("model.2KB.stored", "model.2KB.stored.record", operations: 10)
    /// One request that 1,000 callers share.
    public static let shared = Timing("flight.1000-callers.wharf", operations: 1)
    /// One task that 1,000 callers wait for.
    public static let sharedTask = Timing("flight.1000-callers.task", operations: 1)
    /// One request of one caller.
    public static let sharedAlone = Timing("flight.1-caller.wharf", operations: 1)
    /// The first page of 100,000 models in a data file.
    public static let firstPage = Timing("page.first-of-100000.wharf", operations: 1)
    /// The first page of 100,000 records by GRDB alone.
    public static let firstPageRecords = Timing("page.first-of-100000.records", operations: 1)

    // Rows of lists.
    /// Rows of a list without decorators.
    public static let rowBare = Timing("row.bare", operations: 10_000)
    /// Rows of a list with one decorator.
    public static let rowOneLayer = Timing("row.one-layer", operations: 10_000)
    /// Rows of a list with six decorators.
    public static let rowSixLayers = Timing("row.six-layers", operations: 10_000)
    /// Rows of a list behind `any`, without decorators.
    public static let rowErased = Timing("row.any.bare", operations: 1_000)
    /// Rows of a list behind `any`, with one decorator.
    public static let rowErasedOneLayer = Timing("row.any.one-layer", operations: 1_000)
    /// Rows of a list behind `any`, with six decorators.
    public static let rowErasedSixLayers = Timing("row.any.six-layers", operations: 1_000)

    // A million entries.
    /// Hits of random entries in a cache file of a million.
    public static let millionRandom = Timing(
        "sqlite.2KB.random-of-million", "sqlite.2KB.random-of-million.wharf", operations: 10)
    /// Reads of random entries of a million by GRDB alone.
    public static let millionRandomPool = Timing(
        "sqlite.2KB.random-of-million", "sqlite.2KB.random-of-million.pool", operations: 10)
    /// The opening of a cache file of a million entries.
    public static let millionOpening = Timing("sqlite.2KB.open-million.wharf", operations: 1)
}
