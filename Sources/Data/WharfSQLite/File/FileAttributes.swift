internal import WharfCore

/// The data protection and backup of a new database file and its folder.
///
/// Apple's platforms apply them; elsewhere they do nothing. An existing file keeps its attributes:
/// to access it other than through SQLite would release the locks of this process on it. The logs
/// beside a file get the class of their folder, so give a file a folder of its own.
public struct FileAttributes: Sendable, Hashable {
    /// When a file can be read.
    ///
    /// There is no class for "only while the device is unlocked". SQLite maps a part of its log
    /// into memory, and reads it whenever the file is open.
    public enum Protection: Sendable, Hashable {
        /// From the first unlock after a start on, even in the background.
        ///
        /// Its class is `completeUntilFirstUserAuthentication`.
        case afterFirstUnlock
        /// Readable at any time once it is open (`completeUnlessOpen`).
        ///
        /// To open it, the device must be unlocked.
        case unlessOpen
    }

    /// The class of data protection.
    public var protection: Protection
    /// Whether backups of the device contain the file.
    public var isBackedUp: Bool

    /// Creates attributes. By default the file is protected until the first unlock, and backed up.
    public init(protection: Protection = .afterFirstUnlock, isBackedUp: Bool = true) {
        self.protection = protection
        self.isBackedUp = isBackedUp
    }
}

#if !canImport(Darwin)
extension FileAttributes {
    /// Does nothing: this platform has no such attributes.
    func apply(to path: String) throws(StoreError) {}
}
#endif
