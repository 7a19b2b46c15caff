internal import Foundation
internal import WharfCore

/// Where a file is to be: its folder is there, and at its name there is a regular file or nothing.
struct FilePlace {
    /// With symbolic links followed, so that a link to a file stays one.
    let path: String
    let folder: String
    let name: String
    /// Of the file that is there.
    let permissions: mode_t?

    init(_ requested: String) throws(ReadFailure) {
        guard !requested.isEmpty, !requested.utf8.contains(0) else { throw .unwritable(requested, "it is no path") }
        if let real = Self.resolved(requested) {
            var status = stat()
            guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw .unwritable(requested, "there is something that is no regular file")
            }
            permissions = status.st_mode & 0o7777
            (folder, name) = Self.split(real)
        } else {
            var status = stat()
            guard lstat(requested, &status) != 0 else {
                throw .unwritable(requested, "it is a symbolic link that leads nowhere, or where nobody may look")
            }
            let (parent, name) = Self.split(requested)
            guard !name.isEmpty else { throw .unwritable(requested, "it names a folder") }
            guard let folder = Self.resolved(parent) else {
                throw .unwritable(requested, "there is no folder \"\(parent)\" that can be looked into")
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

    /// Absolute and without links; nil when there is nothing, or nothing to be seen.
    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
