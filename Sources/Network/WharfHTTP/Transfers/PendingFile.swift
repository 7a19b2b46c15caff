internal import Foundation
package import WharfCore

/// A file that is written atomically: under a temporary name, and renamed at the end.
///
/// If it is released before the rename, the temporary file is removed.
package final class PendingFile {
    /// A function with the semantics of `pwrite`, including `errno`.
    package typealias Write = (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int64) -> Int

    // Invariants: the first `written` bytes of the temporary file are in place. Its name exists
    // until `commit` renames it or `deinit` removes it.
    private let path: String
    private let temporary: String
    private let descriptor: Int32
    private let writing: Write
    private var written: Int64 = 0
    private var isCommitted = false

    /// - Parameter writing: writes bytes; a test can simulate a full disk.
    package init(
        for requested: String, writing: @escaping Write = { pwrite($0, $1.baseAddress, $1.count, off_t($2)) }
    ) throws(ReadFailure) {
        let place = try FilePlace(requested)
        let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        // A file name has at most 255 bytes.
        let name = place.name.utf8.count > 200 ? "download" : place.name
        // In the same folder: a rename between file systems is not atomic.
        let temporary = "\(place.folder)/.\(name).wharf-\(suffix)"
        // O_EXCL: no file or link that another program put there is followed.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(place.path, errno) }
        // Keeps the permissions of the file that is replaced.
        if let permissions = place.permissions, fchmod(descriptor, permissions) != 0 {
            let failure = ReadFailure.unwritable(place.path, errno)
            close(descriptor)
            unlink(temporary)
            throw failure
        }
        self.path = place.path
        self.temporary = temporary
        self.descriptor = descriptor
        self.writing = writing
    }

    deinit {
        close(descriptor)
        if !isCommitted { unlink(temporary) }
    }

    package func write(_ bytes: [UInt8]) throws(ReadFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writing(descriptor, $0, written) }
            if count < 0, errno == EINTR { continue }
            // A call that wrote nothing leaves the `errno` of an earlier one.
            guard count > 0 else { throw .unwritable(path, count == 0 ? EIO : errno) }
            written += Int64(count)
            rest = rest.dropFirst(count)
        }
    }

    /// Flushes the file to disk and renames it. A power failure right afterwards may undo the
    /// rename; then the old file is there, complete.
    package func commit() throws(ReadFailure) {
        // The bytes reach the disk before the name. In the other order a loss of power could leave
        // an empty file under the name.
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw .unwritable(path, errno) }
        }
        guard rename(temporary, path) == 0 else { throw .unwritable(path, errno) }
        // From here on the temporary name is gone, so `deinit` has nothing to remove.
        isCommitted = true
    }
}

extension ReadFailure {
    fileprivate static func unwritable(_ path: String, _ code: Int32) -> ReadFailure {
        unwritable(path, String(cString: strerror(code)))
    }

    static func unwritable(_ path: String, _ reason: String) -> ReadFailure {
        ReadFailure(
            .fileUnwritable,
            message:
                "could not write a file at \"\(path)\": \(reason); check path, permission and free space")
    }
}
