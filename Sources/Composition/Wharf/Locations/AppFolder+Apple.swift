#if canImport(Darwin)
internal import Foundation

extension AppFolder {
    /// Returns the path of a file in a folder that only Wharf uses.
    ///
    /// SQLite's log files get their protection class from the folder, and `URLSession` keeps its
    /// cache in the folder of the bundle identifier. So the file is in a subfolder "Wharf".
    func path(of file: String, inFolder name: String) -> String {
        let folder =
            switch self {
            case .caches: URL.cachesDirectory
            case .data: URL.applicationSupportDirectory
            }
        return Self.path(of: file, in: folder, name)
    }

    /// - Parameter folder: `Library/Caches`, `Library/Application Support`, or one like it.
    static func path(of file: String, in folder: URL, _ name: String) -> String {
        folder.appending(path: name, directoryHint: .isDirectory)
            .appending(path: "Wharf", directoryHint: .isDirectory)
            .appending(path: file, directoryHint: .notDirectory)
            .path(percentEncoded: false)
    }
}
#endif
