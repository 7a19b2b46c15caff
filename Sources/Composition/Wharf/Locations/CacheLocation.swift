/// The place where a stack keeps responses.
public struct CacheLocation: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        case caches(name: String?)
        case file(String)
        case memory
    }

    let place: Place
    let byteLimit: Int64

    /// Returns a file in the user's cache directory.
    ///
    /// The directory is `Library/Caches` on Apple platforms, and `$XDG_CACHE_HOME` or `~/.cache`
    /// elsewhere.
    ///
    /// - Parameters:
    ///   - name: the folder in it; nil for the app's bundle identifier, or without one the name of
    ///     the executable.
    ///   - byteLimit: the size of all responses together; the least recently used are evicted
    ///     first.
    public static func caches(name: String? = nil, byteLimit: Int64 = 256 << 20) -> CacheLocation {
        CacheLocation(place: .caches(name: name), byteLimit: byteLimit)
    }

    /// Returns a file of your own choice.
    ///
    /// A missing folder is created. Other processes may use the same file.
    public static func file(_ path: String, byteLimit: Int64 = 256 << 20) -> CacheLocation {
        CacheLocation(place: .file(path), byteLimit: byteLimit)
    }

    /// Returns a location in memory. Its responses are lost with the stack.
    public static func memory(byteLimit: Int64 = 32 << 20) -> CacheLocation {
        CacheLocation(place: .memory, byteLimit: byteLimit)
    }

    /// The path of the file; nil for memory.
    public var path: String? {
        switch place {
        case .memory: nil
        case .file(let path): path
        case .caches(let name): AppFolder.caches.path(of: "cache.sqlite", name: name)
        }
    }
}
