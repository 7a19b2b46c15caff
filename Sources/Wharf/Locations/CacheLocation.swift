/// Where a stack keeps responses.
public struct CacheLocation: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        case caches(name: String?)
        case file(String)
        case memory
    }

    let place: Place
    let byteLimit: Int64

    /// A file in the user's cache directory: `Library/Caches` on Apple platforms, `$XDG_CACHE_HOME`
    /// or `~/.cache` elsewhere.
    ///
    /// - Parameters:
    ///   - name: the folder in it; nil for the app's bundle identifier, or without one the name of
    ///     the executable.
    ///   - byteLimit: what all responses together may take; the least recently used go first.
    public static func caches(name: String? = nil, byteLimit: Int64 = 256 << 20) -> CacheLocation {
        CacheLocation(place: .caches(name: name), byteLimit: byteLimit)
    }

    /// A file of your own choice. Its folder is made when it is missing; other processes may use
    /// the same file.
    public static func file(_ path: String, byteLimit: Int64 = 256 << 20) -> CacheLocation {
        CacheLocation(place: .file(path), byteLimit: byteLimit)
    }

    /// Memory only: nothing is left when the stack is gone.
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
