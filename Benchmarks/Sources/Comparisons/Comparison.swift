/// One line of the table: a timing, its baseline, and the allowed distance.
public struct Comparison: Sendable {
    /// The goal for a timing.
    public enum Target: Sendable {
        /// The maximum ratio of the timing to the other; nil if it is only informative.
        case ratio(atMost: Double?, to: Timing)
        /// The maximum time of one operation.
        case time(atMost: Duration)
        /// The minimum ratio of the other to the timing; nil if it is only informative.
        case speedup(atLeast: Double?, over: Timing)
    }

    /// The text of the line.
    public let title: String
    /// The timing that is compared.
    public let measured: Timing
    /// The goal.
    public let target: Target

    init(_ title: String, _ measured: Timing, _ target: Target) {
        self.title = title
        self.measured = measured
        self.target = target
    }

    private static func memory(_ keys: String, _ measured: Timing, _ baseline: Timing) -> [Comparison] {
        [
            Comparison("memory, 2 KB, \(keys): hit", measured, .time(atMost: .microseconds(5))),
            Comparison("memory, 2 KB, \(keys): hit / locked dictionary", measured, .ratio(atMost: 10, to: baseline)),
        ]
    }

    private static func sqlite(_ what: String, _ measured: Timing, _ baseline: Timing) -> Comparison {
        Comparison("SQLite, \(what): hit / bare pool.read", measured, .ratio(atMost: 2, to: baseline))
    }

    private static func row(_ what: String, _ measured: Timing, _ baseline: Timing) -> Comparison {
        Comparison(
            "SQLite, \(what): hit / bare fetch by primary key", measured, .ratio(atMost: 1.5, to: baseline))
    }

    /// All comparisons in the order of the table.
    public static let all: [Comparison] = reads + models + rows + decodes + lists + outbox

    private static let models: [Comparison] = [
        Comparison(
            "model in memory, hot key: read / dictionary", .modelHot, .ratio(atMost: 3, to: .modelHotDictionary)),
        Comparison(
            "model in memory, random of 10,000: read / dictionary", .modelRandom,
            .ratio(atMost: 3, to: .modelRandomDictionary)),
        Comparison(
            "model in SQLite, random of 10,000, decoded: read / GRDB record", .modelStored,
            .ratio(atMost: 1.5, to: .modelStoredRecord)),
        Comparison(
            "1,000 callers share a request of 100 ms: ours / one Task", .shared, .ratio(atMost: nil, to: .sharedTask)),
        // That is 2 ms more than the request takes.
        Comparison(
            "1,000 callers share a request of 100 ms / one caller", .shared, .ratio(atMost: 1.02, to: .sharedAlone)),
        Comparison("first page of 50 of 100,000 in SQLite", .firstPage, .time(atMost: .milliseconds(5))),
        Comparison(
            "first page of 50 of 100,000 in SQLite: ours / GRDB records", .firstPage,
            .ratio(atMost: nil, to: .firstPageRecords)),
    ]

    // A layer may cost as much as a bare row.
    private static let rows: [Comparison] = [
        Comparison("row of a list: one decorator / bare", .rowOneLayer, .ratio(atMost: 2, to: .rowBare)),
        Comparison("row of a list: six decorators / bare", .rowSixLayers, .ratio(atMost: 2, to: .rowBare)),
        Comparison("row through any: one decorator / bare", .rowErasedOneLayer, .ratio(atMost: 2, to: .rowErased)),
        Comparison("row through any: six decorators / bare", .rowErasedSixLayers, .ratio(atMost: 7, to: .rowErased)),
    ]

    private static let reads =
        memory("hot key", .memoryHot, .memoryHotDictionary)
        + memory("random of 10,000", .memoryRandom, .memoryRandomDictionary) + stored

    private static let stored: [Comparison] = [
        row("2 KB, hot key", .sqliteHot, .sqliteHotRow),
        row("2 KB, random of 10,000", .sqliteRandom, .sqliteRandomRow),
        sqlite("2 KB, hot key", .sqliteHot, .sqliteHotPool),
        sqlite("2 KB, random of 10,000", .sqliteRandom, .sqliteRandomPool),
        sqlite("200 KB, hot key", .sqliteLargeHot, .sqliteLargeHotPool),
        sqlite("200 KB, random of 200", .sqliteLargeRandom, .sqliteLargeRandomPool),
        Comparison(
            "body file, 1 MiB, random of 64: hit / pread of a file", .bodyFile,
            .ratio(atMost: nil, to: .bodyFileRead)),
        sqlite("2 KB, random of 1,000,000", .millionRandom, .millionRandomPool),
        Comparison(
            "SQLite, 2 KB: hit of 1,000,000 / hit of 10,000", .millionRandom, .ratio(atMost: 1.5, to: .sqliteRandom)
        ),
        Comparison("SQLite: open with 10,000 entries", .opening, .time(atMost: .milliseconds(50))),
        Comparison("SQLite: open with 1,000,000 entries", .millionOpening, .time(atMost: .milliseconds(50))),
    ]
}
