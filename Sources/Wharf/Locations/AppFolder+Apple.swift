#if canImport(Darwin)
internal import Foundation

extension AppFolder {
    /// In a folder that nobody else uses: the logs of a file get their protection from its folder,
    /// and `URLSession` has its cache in that of the bundle identifier.
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
