internal import WharfCore

/// A file of whole lines, to which several processes append.
///
/// It is open only during an append.
struct LineFile: Sendable {
    let path: String
    /// The size in bytes above which the file is rotated; nil for never.
    let rotation: Int?
    let syncs: Bool
    var disk = DiskCalls()

    /// Appends all of the lines, or none if it throws.
    func append(_ lines: [UInt8]) throws(FileFailure) {
        // The lock needs a file of its own, since the locked file must not be renamed.
        let lock = try open("\(path).lock")
        defer { disk.unlock(lock) }
        guard disk.lock(lock) else { throw disk.failure("lock", "\(path).lock") }
        // After the lock. Opened before it, the descriptor could be of a file that another process
        // has just renamed, and lines would go into the finished file.
        var file = try open(path)
        defer { disk.close(file) }
        var size = try wholeLines(of: file)
        if let rotation, size > 0, size + Int64(lines.count) > Int64(rotation) {
            try rotate(lock)
            // The new file is opened before the old one is closed: if the opening throws, `defer`
            // still has a descriptor to close.
            let old = file
            file = try open(path)
            disk.close(old)
            size = 0
        }
        do throws(FileFailure) {
            // A kill in the middle of this write leaves a part of a line. The next append removes
            // it in `wholeLines`.
            try write(lines, to: file)
            if syncs { try sync(file, isNew: size == 0) }
        } catch {
            // A partial line would be taken for a whole one.
            guard disk.truncate(file, to: size) else { throw error.and(disk.failure("truncate", path)) }
            throw error
        }
    }

    private func open(_ path: String) throws(FileFailure) -> Int32 {
        guard let file = disk.open(path) else { throw disk.failure("open", path) }
        return file
    }

    /// Removes a partial line that a killed process left at the end.
    ///
    /// - Returns: the size of the rest.
    private func wholeLines(of file: Int32) throws(FileFailure) -> Int64 {
        guard let size = disk.size(of: file) else { throw disk.failure("measure", path) }
        var end = size
        while end > 0 {
            // Backwards in pieces: a whole file ends in a line feed, so one read suffices.
            let start = max(0, end - 65_536)
            guard let piece = disk.read(file, start..<end) else { throw disk.failure("read", path) }
            if let newline = piece.lastIndex(of: UInt8(ascii: "\n")) {
                end = start + Int64(newline) + 1
                break
            }
            end = start
        }
        guard end < size else { return size }
        guard disk.truncate(file, to: end) else { throw disk.failure("truncate", path) }
        return end
    }

    /// Renames the file to the next free number. No other process does so meanwhile, as it needs
    /// the lock.
    ///
    /// The size of the lock file is the last number. So no number is used again after the reader
    /// has removed the files. The system changes the size atomically, and the bytes take no room.
    /// It is changed before the rename: a kill in between skips a number.
    private func rotate(_ lock: Int32) throws(FileFailure) {
        guard let last = disk.size(of: lock) else { throw disk.failure("measure", "\(path).lock") }
        var number = last + 1
        // Such a file is older than the counter in the lock file, or belongs to another program.
        while disk.exists("\(path).\(number)") { number += 1 }
        guard disk.truncate(lock, to: number) else {
            throw disk.failure("write the number \(number) to", "\(path).lock")
        }
        // The number must be on the disk before the name is used. After a power cut the number
        // could otherwise be given a second time.
        guard !syncs || disk.sync(lock) else { throw disk.failure("sync", "\(path).lock") }
        guard disk.rename(path, to: "\(path).\(number)") else { throw disk.failure("rename", path) }
    }

    private func write(_ lines: [UInt8], to file: Int32) throws(FileFailure) {
        var rest = lines[...]
        while !rest.isEmpty {
            guard let count = disk.write(file, rest) else { throw disk.failure("write to", path) }
            rest = rest.dropFirst(count)
        }
    }

    private func sync(_ file: Int32, isNew: Bool) throws(FileFailure) {
        guard disk.sync(file) else { throw disk.failure("sync", path) }
        // The name of a new file is stored in its folder, which needs a sync of its own.
        guard !isNew || disk.syncFolder(of: path) else { throw disk.failure("sync the folder of", path) }
    }
}

/// A failed system call.
struct FileFailure: Error, CustomStringConvertible {
    let description: String

    func and(_ other: FileFailure) -> FileFailure { FileFailure(description: "\(self); and then \(other)") }
}
