internal import Foundation
internal import WharfCore

/// The target of a write: its folder exists, and its name is free or names a regular file.
struct FilePlace {
    /// The path with symbolic links resolved, so that a link to a file stays a link.
    let path: String
    let folder: String
    let name: String
    /// The permissions of the existing file; nil if there is none.
    let permissions: mode_t?

    init(_ requested: String) throws(ReadFailure) {
        guard !requested.isEmpty, !requested.utf8.contains(0) else {
            throw .unwritable(
                requested,
                "the path is empty or has a NUL")
        }
        if let real = Self.resolved(requested) {
            var status = stat()
            guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw .unwritable(requested, "the path names something other than a regular file")
            }
            permissions = status.st_mode & 0o7777
            (folder, name) = Self.split(real)
        } else {
            var status = stat()
            // `realpath` fails for a link without a target as for a free name. Renaming onto the
            // link would replace it.
            guard lstat(requested, &status) != 0 else {
                throw .unwritable(
                    requested,
                    "the path is a symbolic link whose target does not exist or can't be accessed")
            }
            let (parent, name) = Self.split(requested)
            guard !name.isEmpty else { throw .unwritable(requested, "the path names a folder") }
            guard let folder = Self.resolved(parent) else {
                throw .unwritable(requested, "the folder \"\(parent)\" does not exist or can't be accessed")
            }
            permissions = nil
            (self.folder, self.name) = (folder, name)
        }
        path = "\(folder == "/" ? "" : folder)/\(name)"
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// Returns the absolute path without links; nil if the file does not exist or is not
    /// accessible.
    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
