#if canImport(Darwin)
internal import Foundation
public import WharfCore

extension DataLocation {
    /// Returns a file in the container of an app group.
    ///
    /// The app shares it with its extensions and with other apps of the group.
    ///
    /// - Parameters:
    ///   - identifier: the identifier of the group in the entitlements: `group.com.example`.
    ///   - name: the folder in the container's `Library/Application Support`. All processes that
    ///     share the file must pass the same name.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` if the process has no such group.
    @available(
        tvOS, unavailable,
        message: "tvOS may delete an app's files: give a path in its caches folder, and expect to lose unsent changes"
    )
    public static func appGroup(_ identifier: String, name: String) throws(StoreError) -> DataLocation {
        guard
            let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
        else {
            throw StoreError(
                .unavailable,
                message: "the process has no container of the app group \(identifier); check the app's entitlements"
            )
        }
        let folder = container.appending(path: "Library/Application Support", directoryHint: .isDirectory)
        return DataLocation(path: AppFolder.path(of: "data.sqlite", in: folder, name))
    }
}
#endif
