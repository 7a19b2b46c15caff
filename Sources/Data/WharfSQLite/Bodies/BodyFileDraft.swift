#if SQLite
internal import Dispatch
internal import WharfCore
internal import WharfPrimitives

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A body file that is being written. At most one piece of it is in memory.
///
/// End it by ``release()`` after the commit of its row, or by ``discard()``. After an error of any
/// other call only `discard` is left.
struct BodyFileDraft: Sendable {
    let token: UInt64
    /// The bytes of the body until now.
    private(set) var length: Int64 = 0
    private let folder: BodyFolder
    private let lock: FileLock
    private var kind = BodyFolder.Kind.part
    /// The number of written pieces.
    private var pieces: Int64 = 0
    /// The bytes after these pieces, fewer than a piece.
    private var rest: [UInt8] = []

    init(token: UInt64, folder: BodyFolder, lock: FileLock) {
        self.token = token
        self.folder = folder
        self.lock = lock
    }

    private var path: String { folder.name(token, kind) }

    /// Writes the complete pieces, and keeps the rest.
    mutating func append(_ bytes: [UInt8]) throws(StoreError) {
        var index = 0
        while index < bytes.count {
            let end = min(index + Int(BodyFileLayout.pieceSize) - rest.count, bytes.count)
            if end - index == BodyFileLayout.pieceSize {
                // A large chunk is written from the caller's array.
                try write(bytes[index..<end])
            } else {
                rest.append(contentsOf: bytes[index..<end])
                if rest.count == BodyFileLayout.pieceSize { try writeRest() }
            }
            length += Int64(end - index)
            index = end
        }
    }

    private mutating func writeRest() throws(StoreError) {
        try write(rest[...])
        rest.removeAll(keepingCapacity: true)
    }

    private mutating func write(_ piece: ArraySlice<UInt8>) throws(StoreError) {
        let checksum = piece.withUnsafeBytes { BodyFileLayout.checksum($0, index: pieces, token: token) }
        try Disk.writeAll(piece, to: lock.descriptor, path)
        try Disk.writeAll(withUnsafeBytes(of: checksum.littleEndian) { Array($0)[...] }, to: lock.descriptor, path)
        pieces += 1
        try folder.reach(.pieceWritten)
    }

    /// Writes the last piece, syncs the file, and gives it its last name.
    mutating func finish() async throws(StoreError) {
        if !rest.isEmpty { try writeRest() }
        try await sync()
        try folder.reach(.fileSynced)
        guard rename(path, folder.name(token, .body)) == 0 else { throw Disk.failure("rename", path) }
        kind = .body
        try folder.reach(.fileRenamed)
    }

    /// Syncs the file on another thread: a large one blocks for seconds, and a thread of the
    /// cooperative pool must not.
    private func sync() async throws(StoreError) {
        let (descriptor, path) = (lock.descriptor, path)
        let failure: StoreError? = await callbackValue { reply in
            DispatchQueue.global().async {
                while fsync(descriptor) != 0 {
                    if errno == EINTR { continue }
                    reply(Disk.failure("sync", path))
                    return
                }
                reply(nil)
            }
        }
        if let failure { throw failure }
    }

    /// Leaves the file to its row.
    func release() { lock.release() }

    /// Removes the file.
    func discard() {
        // The name goes before the lock. A failure is not thrown: the file then has neither a lock
        // nor a row, and the next opening removes it.
        unlink(path)
        lock.release()
    }
}
#endif
