#if SQLite
internal import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The folder with the large bodies of a cache file, `<cache file>-bodies`.
///
/// A body is a file of its own, whose name is its token, a random number. The file is written as
/// `<token>.part`, synced and renamed to `<token>.body`. Then a transaction adds the row with the
/// token.
///
/// Invariants:
/// - A row with a token is committed only while its file is complete under its last name.
/// - A file is removed only after the commit that removed its row. A reader of an older snapshot
///   may find no file, and looks whether the row is still there.
/// - The writer holds an advisory lock (`flock`) on its file until the commit is done. So a file
///   with a free lock and, after that was seen, no row has no owner.
struct BodyFolder: Sendable {
    let path: String
    let probe: SQLiteCacheProbe
    /// Called with a new file, and with the new folder.
    let made: @Sendable (String) throws(StoreError) -> Void

    init(of file: CacheFile, probe: SQLiteCacheProbe) {
        path = file.path + "-bodies"
        made = file.made
        self.probe = probe
    }

    /// Begins a new file, which is locked.
    func begin() throws(StoreError) -> BodyFileDraft {
        // Made with the first large body. A cache of small ones has no folder.
        try Disk.makeDirectory(of: path + "/", made: made)
        while true {
            let token = probe.token()
            // A sweeping process may examine the new file before its lock. Another token is tried.
            guard let lock = try FileLock.make(name(token, .part)) else { continue }
            let draft = BodyFileDraft(token: token, folder: self, lock: lock)
            do throws(StoreError) {
                try made(name(token, .part))
                try reach(.fileMade)
            } catch {
                draft.discard()
                throw error
            }
            if !FileLock.mayBeHeld(at: path) { lock.unlock() }
            return draft
        }
    }

    /// The result of opening a body file.
    enum Opened {
        case file(OpenBodyFile)
        /// There is no such file.
        case missing
        /// The file has another size than a body of this length.
        case cut(size: Int64)
    }

    /// Opens the file of a committed body.
    func open(_ token: UInt64, length: Int64) throws(StoreError) -> Opened {
        let path = name(token, .body)
        guard let descriptor = try Disk.openIfThere(path) else { return .missing }
        let file = OpenBodyFile(descriptor: descriptor, token: token, length: length, probe: probe)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Disk.failure("look at the file", path) }
        let size = Int64(status.st_size)
        return size == BodyFileLayout.fileSize(length) ? .file(file) : .cut(size: size)
    }

    func remove(_ token: UInt64) throws(StoreError) { try Disk.remove(name(token, .body)) }

    // MARK: Files without a row

    enum Kind: String {
        case part = ".part"
        case body = ".body"
    }

    func name(_ token: UInt64, _ kind: Kind) -> String { path + "/" + String(token, radix: 16) + kind.rawValue }

    /// The tokens of the files of one kind.
    func tokens(_ kind: Kind) throws(StoreError) -> [UInt64] {
        guard Disk.exists(path) else { return [] }
        return try Disk.files(beside: path + "/", beginning: "").compactMap { file in
            guard file.hasSuffix(kind.rawValue), let slash = file.lastIndex(of: "/") else { return nil }
            return UInt64(file[file.index(after: slash)...].dropLast(kind.rawValue.utf8.count), radix: 16)
        }
    }

    /// Removes unfinished files whose writers are dead.
    func removeParts(at now: WallTime) throws(StoreError) {
        for token in try tokens(.part) {
            let file = name(token, .part)
            // It is removed under the lock that was found free, so a writer that has just made its
            // file takes another one.
            if FileLock.mayBeHeld(at: path) {
                _ = FileLock.life(file)
            } else if isOld(file, at: now) {
                try Disk.remove(file)
            }
        }
    }

    /// Whether no writer owns a file that has its last name, unless its row is committed.
    func isReleased(_ token: UInt64, at now: WallTime) -> Bool {
        let file = name(token, .body)
        return FileLock.mayBeHeld(at: path) ? FileLock.isFree(file) : isOld(file, at: now)
    }

    /// Whether a file was last written a day ago, which no response in flight takes.
    private func isOld(_ file: String, at now: WallTime) -> Bool {
        guard let time = Disk.modified(file) else { return false }
        return now - time > .seconds(86_400)
    }

    /// Passes a point of a write, at which a test may fail it.
    func reach(_ point: WritePoint) throws(StoreError) {
        probe.reached?(point)
        if let failure = probe.fails?(point) { throw failure }
    }
}
#endif
