#if SQLite
internal import WharfCore

/// What the system is told of a database file, and of its folder, when opening makes them.
///
/// Apple's platforms go by it; elsewhere nothing is done. What is there already keeps what it has:
/// to look at a file in another way than SQLite's would let go of the locks that this process holds
/// on it. The logs beside a file get the class of their folder, so give a file a folder of its own.
public struct FileAttributes: Sendable, Hashable {
    /// When a file can be read. There is no class for "only while the device is unlocked": SQLite
    /// maps a part of its log into memory, and reads it whenever the file is open.
    public enum Protection: Sendable, Hashable {
        /// From the first unlocking after a start on, also in the background
        /// (`completeUntilFirstUserAuthentication`).
        case afterFirstUnlock
        /// The same for who has it open; to open it, the device must be unlocked
        /// (`completeUnlessOpen`).
        case unlessOpen
    }

    public var protection: Protection
    /// False keeps the file out of backups of the device.
    public var isBackedUp: Bool

    public init(protection: Protection = .afterFirstUnlock, isBackedUp: Bool = true) {
        self.protection = protection
        self.isBackedUp = isBackedUp
    }
}

#if !canImport(Darwin)
extension FileAttributes {
    /// There is nothing like it here.
    func apply(to path: String) throws(StoreError) {}
}
#endif
#endif
