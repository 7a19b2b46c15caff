#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that is written atomically: under a temporary name in the same folder, then renamed.
struct OutputFile {
    /// The target. Symbolic links are followed, so that a link is kept.
    let path: String
    private let temporary: String
    private let descriptor: Descriptor
    private let folder: String
    private let scratch: Scratch

    /// Creates the temporary file.
    ///
    /// - Parameter scratch: keeps track of the temporary file until it is renamed or removed.
    init(_ requested: String, scratch: Scratch) throws(OutputFailure) {
        let path = Self.resolved(requested)
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        var existing = stat()
        let exists = stat(path, &existing) == 0
        if exists, existing.st_mode & S_IFMT == S_IFDIR {
            throw OutputFailure("-o: expected the name of a file, found the folder '\(path)'; add a name to it")
        }
        let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        // The limit of a file name is 255 bytes.
        let temporary = "\(folder == "/" ? "" : folder)/.\(name.utf8.count > 200 ? "output" : name).wharf-\(suffix)"
        // Registered before it exists: a signal in between must not leave it behind.
        scratch.add(temporary)
        let number = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard number >= 0 else {
            let reason = errno
            scratch.forget(temporary)
            throw OutputFailure("'\(path)' could not be written", errno: reason)
        }
        self.path = path
        self.folder = folder
        self.scratch = scratch
        self.temporary = temporary
        descriptor = Descriptor(number: number, name: "'\(path)'")
        // The permissions of the existing file are kept.
        if exists { fchmod(number, existing.st_mode & 0o7777) }
    }

    /// Returns whether `path` is a device or a pipe, which can't be replaced atomically.
    static func isSpecial(_ path: String) -> Bool {
        var existing = stat()
        guard stat(path, &existing) == 0 else { return false }
        let kind = existing.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }

    func write(_ bytes: [UInt8]) throws(OutputFailure) { try descriptor.write(bytes) }

    /// Discards the bytes so far.
    func restart() throws(OutputFailure) {
        guard ftruncate(descriptor.number, 0) == 0, lseek(descriptor.number, 0, SEEK_SET) == 0 else {
            throw OutputFailure("'\(path)' could not be written", errno: errno)
        }
    }

    /// Renames the file to its target and syncs it to disk.
    func commit() throws(OutputFailure) {
        guard fsync(descriptor.number) == 0 || errno == EINVAL, rename(temporary, path) == 0 else {
            let reason = errno
            abandon()
            throw OutputFailure("'\(path)' could not be written", errno: reason)
        }
        scratch.forget(temporary)
        close(descriptor.number)
        let directory = open(folder, O_RDONLY | O_CLOEXEC)
        if directory >= 0 {
            // The file is in place. This sync only makes the rename survive a power failure.
            fsync(directory)
            close(directory)
        }
    }

    /// Removes the temporary file and leaves the target as it was.
    func abandon() {
        close(descriptor.number)
        scratch.remove(temporary)
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
