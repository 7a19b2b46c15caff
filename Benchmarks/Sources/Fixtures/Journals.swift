internal import Foundation
public import WharfCore
public import WharfSQLite

/// What waits in an outbox.
public struct Pending: Sendable, Hashable {
    public let count: Int
    public let lanes: Int
    /// Whether those of a lane come one after the other, which makes the file in a fifth of the
    /// time. Otherwise those of all lanes come in turn.
    private let isByLane: Bool
    /// The benchmarks that read it.
    public let readers: [String]

    public static let drained = Pending(
        count: 100_000, lanes: 1_000, isByLane: false, readers: ["outbox.drain", "outbox.drain-batches"])
    public static let opened = Pending(count: 1_000_000, lanes: 10_000, isByLane: true, readers: ["outbox.open"])
    public static let all = [drained, opened]

    public static let kind = OutboxEntry.Kind("note.edit")

    func lane(_ index: Int) -> Int { isByLane ? index / (count / lanes) : index % lanes }

    /// To ``NoOperation`` and ``NoOperations``.
    public static func entry(_ id: OutboxEntry.ID, lane: Int) -> OutboxEntry {
        OutboxEntry(
            id: id, lane: "note/\(lane)", kind: kind, payload: [UInt8](repeating: 7, count: 200), targets: .all("api"),
            enqueuedAt: WallTime(secondsSince1970: 1_700_000_000))
    }
}

/// Takes everything.
public struct NoOperation: Destination {
    public let name = "api"
    public let kinds: Set<String> = [Pending.kind.name]

    public init() {}

    public func deliver(_ entry: OutboxEntry) async -> Delivery { Delivery(.delivered) }
}

/// Takes everything, many at a time.
public struct NoOperations: BatchDestination {
    public let name = "api"
    public let kinds: Set<String> = [Pending.kind.name]
    public let limits = BatchLimits(entries: 50)

    public init() {}

    public func deliver(_ batch: [OutboxEntry]) async -> [Delivery] { batch.map { _ in Delivery(.delivered) } }
}

/// Data files in which entries wait, filled before the measuring begins.
public struct Journals: Sendable {
    private let directory: String

    public init(in directory: String) { self.directory = directory }

    /// Those in the directory that the environment names.
    public static func fromEnvironment() throws -> Journals { Journals(in: try CacheFiles.directory) }

    public func path(_ name: String) -> String { "\(directory)/\(name).sqlite" }

    private func path(_ pending: Pending) -> String { path("outbox-\(pending.count)") }

    public func exists(_ pending: Pending) -> Bool { FileManager.default.fileExists(atPath: path(pending)) }

    /// A new one.
    public func open(_ name: String) async throws -> SQLiteDataFile { try await SQLiteDataFile.open(at: path(name)) }

    public func open(_ pending: Pending) async throws -> SQLiteDataFile {
        guard exists(pending) else {
            throw WrongAnswer(expected: "a file with \(pending.count) entries, as Fill makes it", found: "none")
        }
        return try await SQLiteDataFile.open(at: path(pending))
    }

    /// With the same entries, to be drained.
    public func openCopy(_ pending: Pending) async throws -> SQLiteDataFile {
        let copy = path("outbox-copy")
        for suffix in ["", "-wal", "-shm", ".lock"] where FileManager.default.fileExists(atPath: copy + suffix) {
            try FileManager.default.removeItem(atPath: copy + suffix)
        }
        // What was closed has no log that counts.
        try FileManager.default.copyItem(atPath: path(pending), toPath: copy)
        return try await SQLiteDataFile.open(at: copy)
    }

    /// By the store's own commits, large ones.
    ///
    /// - Parameter progress: told how many there are.
    public func fill(_ pending: Pending, progress: (Int) -> Void) async throws {
        let file = try await SQLiteDataFile.open(at: path(pending))
        let store = SQLiteWriteStore(file)
        var random = SystemRandomNumberGenerator()
        for start in stride(from: 0, to: pending.count, by: 5_000) {
            let end = min(start + 5_000, pending.count)
            let entries = (start..<end).map { index in
                // As if one came each millisecond.
                let time = WallTime(secondsSince1970: 1_700_000_000) + .milliseconds(index)
                return Pending.entry(.init(at: time, using: &random), lane: pending.lane(index))
            }
            try await store.commit(Commit(enqueued: entries))
            progress(end)
        }
        try await file.close()
    }
}
