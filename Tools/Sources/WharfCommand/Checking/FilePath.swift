#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Functions on paths, which are plain strings.
enum FilePath {
    /// The file or folder at a path, with symbolic links followed.
    struct Item: Hashable {
        let device: UInt64
        let number: UInt64
        let isFolder: Bool
        let size: Int
        /// The time of the last change, in seconds and nanoseconds since 1970.
        let changed: [Int]
    }

    /// - Returns: nil if there is none, or it is not accessible; `errno` tells the reason.
    static func item(at path: String) -> Item? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Item(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino),
            isFolder: status.st_mode & S_IFMT == S_IFDIR, size: Int(status.st_size),
            changed: [Int(time.tv_sec), Int(time.tv_nsec)])
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Returns the absolute path without symbolic links; nil if nothing is there.
    static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns the last component of the path.
    static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// Returns the folder that contains a path; nil for the root.
    static func folder(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the path without slashes at its end.
    static func withoutSlash(_ path: String) -> String {
        let kept = path.reversed().drop { $0 == "/" }.reversed()
        return kept.isEmpty && !path.isEmpty ? "/" : String(kept)
    }

    /// Returns a path that no program takes for an option or a response file.
    static func argument(_ path: String) -> String {
        path.hasPrefix("-") || path.hasPrefix("@") ? "./\(path)" : path
    }
}
