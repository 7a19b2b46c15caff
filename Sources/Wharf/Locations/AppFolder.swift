internal import Foundation

/// Where a platform wants files of one kind to lie.
enum AppFolder {
    /// What can be had again.
    case caches
    /// What can't.
    case data

    /// The path of a file in the app's own part of it.
    ///
    /// - Parameter name: nil for the app's bundle identifier, or without one the name of the
    ///   executable.
    func path(of file: String, name: String?) -> String {
        path(of: file, inFolder: name ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
    }

    /// By the XDG base directory specification, which wants relative values ignored.
    func xdgFolder(_ environment: [String: String], home: String) -> String {
        let (variable, standard) =
            switch self {
            case .caches: ("XDG_CACHE_HOME", ".cache")
            case .data: ("XDG_DATA_HOME", ".local/share")
            }
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
