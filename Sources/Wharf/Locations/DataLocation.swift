/// Where an app keeps its own data.
///
/// ```swift
/// let stack = try await WharfStack.live(baseURL: url, account: account, data: .applicationSupport())
/// ```
public struct DataLocation: Sendable, Hashable {
    /// Of the file, which need not be there, nor its folder.
    public let path: String

    /// A file where the platform keeps the data of apps: `Library/Application Support` on Apple
    /// platforms, `$XDG_DATA_HOME` or `~/.local/share` elsewhere.
    ///
    /// - Parameter name: the folder in it; nil for the app's bundle identifier, or without one the
    ///   name of the executable.
    @available(
        tvOS, unavailable,
        message: "tvOS keeps no files of an app for good: choose a path in its caches, and expect to find it empty"
    )
    public static func applicationSupport(name: String? = nil) -> DataLocation {
        DataLocation(path: AppFolder.data.path(of: "data.sqlite", name: name))
    }

    /// A file of your own choice. It is made with its folders when it is missing; other processes
    /// may use the same file.
    public static func file(_ path: String) -> DataLocation { DataLocation(path: path) }
}
