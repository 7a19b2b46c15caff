internal import Foundation

/// The platform's folder for files of one kind.
enum AppFolder {
    /// Files that the app can fetch or create again.
    case caches
    /// Files with the app's own data, which can't be created again.
    case data

    /// Returns the path of a file in the app's own subfolder.
    ///
    /// - Parameter name: nil for the app's bundle identifier, or without one the name of the
    ///   executable.
    func path(of file: String, name: String?) -> String {
        path(of: file, inFolder: name ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
    }

    /// Returns the folder by the XDG base directory specification.
    ///
    /// The specification requires that relative values of the variables are ignored.
    func xdgFolder(_ environment: [String: String], home: String) -> String {
        let (variable, standard) =
            switch self {
            case .caches: ("XDG_CACHE_HOME", ".cache")
            case .data: ("XDG_DATA_HOME", ".local/share")
            }
        // An empty value has no leading slash, so it counts as unset too.
        if let folder = environment[variable], folder.hasPrefix("/") { return folder }
        return (environment["HOME"] ?? home) + "/" + standard
    }
}

#if !canImport(Darwin)
extension AppFolder {
    private func path(of file: String, inFolder name: String) -> String {
        xdgFolder(ProcessInfo.processInfo.environment, home: NSHomeDirectory()) + "/\(name)/\(file)"
    }
}
#endif
