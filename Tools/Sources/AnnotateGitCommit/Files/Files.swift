#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// File access by system calls. A hook starts faster without Foundation.
enum Files {
    /// Returns whether the path exists, even as a dangling symbolic link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns whether the path is a regular file, or a symbolic link to one.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    static func isExecutable(_ path: String) -> Bool { isRegular(path) && access(path, X_OK) == 0 }

    static func contents(of path: String) throws(AnnotationError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Replaces a file atomically: concurrent readers see the old content or the new one.
    ///
    /// - Parameter mode: the file's mode; nil keeps the mode of the existing file. A symbolic link
    ///   is kept.
    static func replace(_ path: String, with bytes: [UInt8], mode: mode_t? = nil) throws(AnnotationError) {
        var status = stat()
        let isThere = stat(path, &status) == 0
        let target = isThere ? try resolved(path) : path
        var name = Array((target + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw unwritable(path) }
        do throws(AnnotationError) {
            defer { close(descriptor) }
            var start = 0
            while start < bytes.count {
                let count = bytes[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw unwritable(path) }
                start += count
            }
            let mode = mode ?? (isThere ? status.st_mode & 0o7777 : 0o600)
            guard fchmod(descriptor, mode) == 0, rename(name, target) == 0 else { throw unwritable(path) }
        } catch {
            unlink(name)
            throw error
        }
    }

    /// Removes a file; does nothing if there is none.
    static func remove(_ path: String) throws(AnnotationError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw AnnotationError(.unwritable, "can't remove \(path): \(reason)")
        }
    }

    static func move(_ path: String, to target: String) throws(AnnotationError) {
        guard rename(path, target) == 0 else {
            throw AnnotationError(.unwritable, "can't rename \(path) to \(target): \(reason)")
        }
    }

    /// Creates a folder with the folders above it.
    static func makeFolder(_ path: String) throws(AnnotationError) {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw AnnotationError(.unwritable, "can't create the folder \(path): \(reason)")
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            throw AnnotationError(.unwritable, "can't create the folder \(path): \(reason)")
        }
    }

    static var currentFolder: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    private static func resolved(_ path: String) throws(AnnotationError) -> String {
        guard let resolved = realpath(path, nil) else { throw unwritable(path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func unreadable(_ path: String) -> AnnotationError {
        AnnotationError(.unreadable, "can't read \(path): \(reason)")
    }

    private static func unwritable(_ path: String) -> AnnotationError {
        AnnotationError(.unwritable, "can't write \(path): \(reason)")
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
