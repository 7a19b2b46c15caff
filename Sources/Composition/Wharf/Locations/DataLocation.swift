/// The place where a stack keeps the app's own data.
///
/// ```swift
/// let stack = try await WharfStack.live(baseURL: url, account: account, data: .applicationSupport())
/// ```
public struct DataLocation: Sendable, Hashable {
    /// The path of the file. Neither the file nor its folder need exist.
    public let path: String

    /// Returns a file in the platform's folder for the data of apps.
    ///
    /// The folder is `Library/Application Support` on Apple platforms, and `$XDG_DATA_HOME` or
    /// `~/.local/share` elsewhere.
    ///
    /// - Parameter name: the folder in it; nil for the app's bundle identifier, or without one the
    ///   name of the executable.
    @available(
        tvOS, unavailable,
        message: "tvOS may delete an app's files: give a path in its caches folder, and expect to lose unsent changes"
    )
    public static func applicationSupport(name: String? = nil) -> DataLocation {
        DataLocation(path: AppFolder.data.path(of: "data.sqlite", name: name))
    }

    /// Returns a file of your own choice.
    ///
    /// A missing file is created, with its folders. Other processes may use the same file.
    public static func file(_ path: String) -> DataLocation { DataLocation(path: path) }
}
