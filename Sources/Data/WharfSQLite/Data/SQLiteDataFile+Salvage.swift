#if SQLite
internal import GRDB
public import WharfCore

extension SQLiteDataFile {
    /// The result of salvaging a damaged file.
    public struct SalvageResult: Hashable, Sendable {
        /// The number of entities, values and journal entries in the new file.
        public var rowsRead = 0
        /// The number of these entities that have lost some of their fields.
        ///
        /// Queries by those fields are wrong until the entity is put again.
        public var rowsWithoutAllFields = 0
        /// The number of rows that are known to exist but can't be read.
        ///
        /// Entries that depend on a lost entry are dead letters.
        public var rowsLost = 0
        /// Whether unreadable parts may have held rows that are not known.
        public var mayHaveLostMore = false
        /// Whether some of the journal's memory of removed entries is lost.
        ///
        /// A later entry that depends on an older one, of which nothing is known, is then a dead
        /// letter (``WharfCore/DeliveryFailure/Code/dependencyForgotten``).
        public var mayHaveForgotten = false
    }

    /// Copies the readable content of a damaged file and its log into a new file.
    ///
    /// Close the file before, if it is open. It is left as it was.
    ///
    /// ```swift
    /// let salvaged = try await SQLiteDataFile.salvage(from: path, to: path + ".salvaged")
    /// print(salvaged.rowsRead, salvaged.rowsLost)
    /// ```
    ///
    /// - Parameters:
    ///   - target: a path without a file.
    ///   - attributes: the attributes of the new file.
    ///   - clock: the time that separates lost entries from later ones.
    /// - Throws: ``WharfCore/StoreError/Code/corrupt`` when nothing can be read, and
    ///   ``WharfCore/StoreError/Code/unavailable`` when either path can't be used now, or the file
    ///   is some other database.
    @concurrent
    public static func salvage(
        from path: String, to target: String, attributes: FileAttributes = FileAttributes(),
        clock: any WallClock = .system
    ) async throws(StoreError) -> SalvageResult {
        guard !Disk.exists(target) else {
            throw StoreError(
                .unavailable, message: "could not salvage to \(target): a file exists there; choose another path"
            )
        }
        try Disk.makeDirectory(of: target) { (folder) throws(StoreError) in try attributes.apply(to: folder) }
        // Even reading would change the file: SQLite recovers and checkpoints each file that it
        // opens.
        let copy = target + ".damaged-copy"
        do throws(StoreError) {
            try Disk.copy(path, to: copy)
            // The log may have the newest commits, and pages that are damaged in the file.
            if Disk.exists(path + "-wal") { try Disk.copy(path + "-wal", to: copy + "-wal") }
            let salvaged = try await salvage(copy: copy, of: path, to: target, attributes, at: clock.now())
            try Disk.removeDatabase(copy)
            return salvaged
        } catch {
            // The first error is the cause, so an error of the removal is ignored.
            try? Disk.removeDatabase(copy)
            throw error
        }
    }

    private static func salvage(
        copy: String, of path: String, to target: String, _ attributes: FileAttributes, at now: WallTime
    ) async throws(StoreError) -> SalvageResult {
        let file = try await open(at: target, attributes: attributes)
        do throws(StoreError) {
            let salvaged = try await fill(file, from: copy, of: path, at: now)
            try await file.close()
            return salvaged
        } catch {
            // The first error is the cause, so errors of the cleanup are ignored. The file is
            // closed before it is removed: an open connection still writes to its log. A second
            // `close` does nothing.
            try? await file.close()
            try? Disk.removeDatabase(target)
            throw error
        }
    }

    private static func fill(
        _ file: SQLiteDataFile, from copy: String, of path: String, at now: WallTime
    ) async throws(StoreError) -> SalvageResult {
        let salvage: DatabaseQueue
        do {
            salvage = try SalvageReader.open(copy)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(
                .corrupt, message: "nothing in \(path) can be read: \(error)",
                cause: error
            )
        }
        // `write` runs alone on the connection, without the queue of commits. No reader can see the
        // new file half-filled: it is one transaction.
        return try await file.write("salvage a data file") { db in
            var salvaged = SalvageResult()
            try db.inTransaction(.immediate) {
                salvaged = try salvage.writeWithoutTransaction { try SalvageReader(db: $0, now: now).copy(to: db) }
                return .commit
            }
            try salvage.close()
            return salvaged
        }
    }
}
#endif
