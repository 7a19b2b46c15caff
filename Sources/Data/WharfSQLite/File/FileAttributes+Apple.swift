#if canImport(Darwin)
internal import Foundation
internal import WharfCore

extension FileAttributes {
    /// Sets the attributes of a new file or folder.
    ///
    /// It must not be open in this process: Foundation may open and close it, which would release
    /// locks.
    func apply(to path: String) throws(StoreError) {
        do {
            #if !os(macOS)
            try FileManager.default.setAttributes([.protectionKey: type], ofItemAtPath: path)
            #endif
            if !isBackedUp {
                var url = URL(fileURLWithPath: path)
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                try url.setResourceValues(values)
            }
        } catch {
            throw StoreError(
                .unavailable,
                message: "could not set the protection and backup of \(path); the file was not made: try again later",
                cause: error
            )
        }
    }

    #if !os(macOS)
    private var type: FileProtectionType {
        switch protection {
        case .afterFirstUnlock: .completeUntilFirstUserAuthentication
        case .unlessOpen: .completeUnlessOpen
        }
    }
    #endif
}
#endif
