internal import Comparisons
internal import Foundation
public import WharfCore
public import WharfSQLite
internal import WharfStorage

/// The entries that wait in an outbox.
public struct Pending: Sendable, Hashable {
    /// The number of entries.
    public let count: Int
    /// The number of lanes.
    public let lanes: Int
    /// Whether the entries of a lane are contiguous, which makes the file in a fifth of the time.
    /// Otherwise the lanes take turns.
    private let isByLane: Bool
    /// The names of the benchmarks that read the file.
    public let readers: [String]

    /// The entries for the drains.
    public static let drained = Pending(
        count: 100_000, lanes: 1_000, isByLane: false, readers: ["outbox.drain", "outbox.drain-batches"])
    /// The entries for the opening of an outbox.
    public static let opened = Pending(count: 1_000_000, lanes: 10_000, isByLane: true, readers: ["outbox.open"])
    /// All journals.
    public static let all = [drained, opened]

    /// The kind of the entries.
    public static let kind = OutboxEntry.Kind("note.edit")

    func lane(_ index: Int) -> Int { isByLane ? index / (count / lanes) : index % lanes }

    /// Returns an entry for ``NoOperation`` and ``NoOperations``.
    public static func entry(_ id: OutboxEntry.ID, lane: Int) -> OutboxEntry {
        OutboxEntry(
            id: id, lane: "note/\(lane)", kind: kind, payload: [UInt8](repeating: 7, count: 200), targets: .all("api"),
            enqueuedAt: WallTime(secondsSince1970: 1_700_000_000))
    }
}

/// A destination that accepts every entry.
public struct NoOperation: Destination {
    public let name = "api"
    public let kinds: Set<String> = [Pending.kind.name]

    /// Creates the destination.
    public init() {}

    public func deliver(_ entry: OutboxEntry) async -> Delivery { Delivery(.delivered) }
}

/// A destination that accepts every entry, in batches.
public struct NoOperations: BatchDestination {
    public let name = "api"
    public let kinds: Set<String> = [Pending.kind.name]
    public let limits = BatchLimits(entries: 50)

    /// Creates the destination.
    public init() {}

    public func deliver(_ batch: [OutboxEntry]) async -> [Delivery] { batch.map { _ in Delivery(.delivered) } }
}

/// Data files with waiting entries, filled before the measurement.
public struct Journals: Sendable {
    private let directory: String

    /// Uses the files in a directory.
    public init(in directory: String) { self.directory = directory }

    /// Uses the directory that the environment names.
    public static func fromEnvironment() throws -> Journals { Journals(in: try CacheFiles.directory) }

    /// Returns the path of a data file.
    public func path(_ name: String) -> String { "\(directory)/\(name).sqlite" }

    private func path(_ pending: Pending) -> String { path("outbox-\(pending.count)") }

    /// Returns whether the file with these entries exists.
    public func exists(_ pending: Pending) -> Bool { FileManager.default.fileExists(atPath: path(pending)) }

    /// Opens a new file.
    public func open(_ name: String) async throws -> SQLiteDataFile { try await SQLiteDataFile.open(at: path(name)) }

    /// Opens the file with these entries.
    public func open(_ pending: Pending) async throws -> SQLiteDataFile {
        guard exists(pending) else {
            throw WrongAnswer(expected: "a file with \(pending.count) entries, as Fill makes it", found: "none")
        }
        return try await SQLiteDataFile.open(at: path(pending))
    }

    /// Opens a copy of the file with these entries, to be drained.
    public func openCopy(_ pending: Pending) async throws -> SQLiteDataFile {
        let copy = path("outbox-copy")
        for suffix in ["", "-wal", "-shm", ".lock"] where FileManager.default.fileExists(atPath: copy + suffix) {
            try FileManager.default.removeItem(atPath: copy + suffix)
        }
        // A closed file has no log with further data.
        try FileManager.default.copyItem(atPath: path(pending), toPath: copy)
        return try await SQLiteDataFile.open(at: copy)
    }

    /// Creates the file by large commits of the store itself.
    ///
    /// - Parameter progress: called with the number of entries so far.
    public func fill(_ pending: Pending, progress: (Int) -> Void) async throws {
        let file = try await SQLiteDataFile.open(at: path(pending))
        let store = SQLiteWriteStore(file)
        var random = SystemRandomNumberGenerator()
        for start in stride(from: 0, to: pending.count, by: 5_000) {
            let end = min(start + 5_000, pending.count)
            let entries = (start..<end).map { index in
                // The ids are those of entries that came one per millisecond.
                let time = WallTime(secondsSince1970: 1_700_000_000) + .milliseconds(index)
                return Pending.entry(.init(at: time, using: &random), lane: pending.lane(index))
            }
            try await store.commit(Commit(enqueued: entries))
            progress(end)
        }
        try await file.close()
    }
}
