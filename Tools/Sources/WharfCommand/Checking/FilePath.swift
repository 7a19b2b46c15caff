#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Questions about paths, which stay the texts that they are.
enum FilePath {
    /// What a path leads to, links followed.
    struct Item: Hashable {
        let device: UInt64
        let number: UInt64
        let isFolder: Bool
        let size: Int
        /// Seconds and nanoseconds since 1970.
        let changed: [Int]
    }

    /// - Returns: nil where nothing is, or nothing that may be looked at; `errno` tells.
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

    /// The path without links, from the root; nil where nothing is.
    static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// What stands behind the last slash.
    static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// The folder that a path lies in; nil for the root.
    static func folder(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The same path without slashes at its end.
    static func withoutSlash(_ path: String) -> String {
        let kept = path.reversed().drop { $0 == "/" }.reversed()
        return kept.isEmpty && !path.isEmpty ? "/" : String(kept)
    }

    /// A path that no program takes for an option or for a list of arguments.
    static func argument(_ path: String) -> String {
        path.hasPrefix("-") || path.hasPrefix("@") ? "./\(path)" : path
    }
}
