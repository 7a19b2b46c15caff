#if SQLite
internal import GRDB
public import WharfCore

extension SQLiteDataFile {
    /// What came out of a damaged file.
    public struct Salvaged: Hashable, Sendable {
        /// Entities, values and entries of the journal that the new file has.
        public var rowsRead = 0
        /// Of these, entities that have lost some of their fields: queries by them are wrong until
        /// the entity is put again.
        public var rowsWithoutAllFields = 0
        /// Rows that something else in the file names, and that can't be read any more. What
        /// depends on such an entry is a dead letter.
        public var rowsLost = 0
        /// Parts could not be walked that may have held rows of which nothing is known.
        public var mayHaveLostMore = false
        /// Not all could be read that the journal remembered of entries that are gone. Who comes
        /// later and depends on one of before, of which nothing is known, is a dead letter
        /// (``WharfCore/DeliveryFailure/Code/dependencyForgotten``).
        public var mayHaveForgotten = false
    }

    /// Copies what can still be read of a damaged file into a new one, with the log that lies
    /// beside it.
    ///
    /// Close the file before, if it is open. It is left as it was.
    ///
    /// ```swift
    /// let salvaged = try await SQLiteDataFile.salvage(from: path, to: path + ".salvaged")
    /// print(salvaged.rowsRead, salvaged.rowsLost)
    /// ```
    ///
    /// - Parameters:
    ///   - target: a path where nothing is.
    ///   - attributes: what the file there is given.
    ///   - clock: tells which entries come later.
    /// - Throws: ``WharfCore/StoreError/Code/corrupt`` when nothing can be read, and
    ///   ``WharfCore/StoreError/Code/unavailable`` when either path can't be used now, or the file
    ///   is some other database.
    @concurrent
    public static func salvage(
        from path: String, to target: String, attributes: FileAttributes = FileAttributes(),
        clock: any WallClock = .system
    ) async throws(StoreError) -> Salvaged {
        guard !Disk.exists(target) else {
            throw StoreError(
                .unavailable, message: "expected no file at \(target), but found one; choose another path to salvage to"
            )
        }
        try Disk.makeDirectory(of: target) { (folder) throws(StoreError) in try attributes.apply(to: folder) }
        // Even to read it would change it: SQLite recovers and checkpoints what it opens.
        let copy = target + ".damaged-copy"
        do throws(StoreError) {
            try Disk.copy(path, to: copy)
            if Disk.exists(path + "-wal") { try Disk.copy(path + "-wal", to: copy + "-wal") }
            let salvaged = try await salvage(copy: copy, of: path, to: target, attributes, at: clock.now())
            try Disk.removeDatabase(copy)
            return salvaged
        } catch {
            try Disk.removeDatabase(copy)
            throw error
        }
    }

    private static func salvage(
        copy: String, of path: String, to target: String, _ attributes: FileAttributes, at now: WallTime
    ) async throws(StoreError) -> Salvaged {
        let file = try await open(at: target, attributes: attributes)
        let outcome: Result<Salvaged, StoreError>
        do throws(StoreError) {
            outcome = .success(try await fill(file, from: copy, of: path, at: now))
        } catch {
            outcome = .failure(error)
        }
        try await file.close()
        if case .failure = outcome {
            try Disk.removeDatabase(target)
        }
        return try outcome.get()
    }

    private static func fill(
        _ file: SQLiteDataFile, from copy: String, of path: String, at now: WallTime
    ) async throws(StoreError) -> Salvaged {
        let wreck: DatabaseQueue
        do {
            wreck = try Wreck.open(copy)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(
                .corrupt, message: "expected to read some of \(path), but nothing in it can be read: \(error)",
                cause: error
            )
        }
        return try await file.write("salvage a data file") { db in
            var salvaged = Salvaged()
            try db.inTransaction(.immediate) {
                salvaged = try wreck.writeWithoutTransaction { try Wreck(db: $0, now: now).copy(to: db) }
                return .commit
            }
            try wreck.close()
            return salvaged
        }
    }
}
#endif
