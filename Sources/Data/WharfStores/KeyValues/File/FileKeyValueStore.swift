internal import Foundation
public import WharfCore
internal import WharfPrimitives

/// A key-value store with one file per value, in a folder that processes may share.
///
/// ```swift
/// let store = try await FileKeyValueStore.open(at: "/home/me/.local/share/app/session")
/// ```
///
/// - A set writes another file and renames it. After a crash, a kill or a loss of power, the old
///   value or the new one is there. When the set returns, both the file and its name are on the
///   disk.
/// - Files carry a checksum. A damaged or foreign file throws ``WharfCore/StoreError/Code/corrupt``
///   for its own name, until that is set or removed. If the value's name is longer than 70 bytes, a
///   listing throws too, because only the content has that name.
/// - Only the user can read the files (0600), and the folder if the store created it (0700). Other
///   files in it are left alone.
public final class FileKeyValueStore: KeyValueStore {
    private let folder: ValueFolder
    // Concurrent, so that reads don't wait while the disk takes a write.
    private let reads = DispatchQueue(label: "Wharf.values.reads", attributes: .concurrent)
    // Serial, so that two sets of one name happen in their order.
    private let writes = DispatchQueue(label: "Wharf.values.writes")

    private init(_ folder: ValueFolder) { self.folder = folder }

    /// Opens a folder, creating it with its parents, and removes partial files.
    ///
    /// Killed processes leave such files.
    ///
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` or ``WharfCore/StoreError/Code/full``
    ///   when the folder can't be used now.
    public static func open(at folder: String) async throws(StoreError) -> FileKeyValueStore {
        FileKeyValueStore(
            try await DispatchQueue.global().run { () throws(StoreError) in try ValueFolder(at: folder) })
    }

    public func value(for key: String) async throws(StoreError) -> [UInt8]? {
        try await reads.run { [folder] () throws(StoreError) in
            try Self.file(of: key, in: folder).map { Array($0.value) }
        }
    }

    public func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        try await writes.run { [folder] () throws(StoreError) in
            let file = ValueFileName.of(key)
            if ValueFileName.isHashed(key) { try Self.requireNoOther(than: key, in: folder) }
            if let value {
                try folder.write(ValueFile.encoded(key, value), to: file)
            } else {
                try folder.remove(file)
            }
        }
    }

    /// - Complexity: O(n) in the names of the files, and a read of those whose name is longer than
    ///   70 bytes.
    public func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        try await reads.run { [folder] () throws(StoreError) in
            var names: Set<UTF8Key> = []
            for file in try folder.names() {
                switch ValueFileName.meaning(of: file) {
                case .foreign: continue
                // Names are compared by their bytes. `String` would take different spellings of one
                // accent for equal.
                case .name(let name): names.insert(UTF8Key(name))
                case .hash:
                    // The file was removed after the folder was listed.
                    guard let bytes = try folder.read(file) else { continue }
                    let name = try ValueFile(bytes, path: folder.path + "/" + file).name
                    // A hashed file with another name was renamed by other hands.
                    guard ValueFileName.of(name) == file else { throw Self.misplaced(file, in: folder) }
                    names.insert(UTF8Key(name))
                }
            }
            return names.listed(withPrefix: prefix)
        }
    }

    private static func file(of key: String, in folder: ValueFolder) throws(StoreError) -> ValueFile? {
        let file = ValueFileName.of(key)
        guard let bytes = try folder.read(file) else { return nil }
        let found = try ValueFile(bytes, path: folder.path + "/" + file)
        guard UTF8Key(found.name) == UTF8Key(key) else { throw misplaced(file, in: folder) }
        return found
    }

    /// Throws if the file of a long name holds another name.
    ///
    /// Two long names with one hash must not overwrite each other. An unreadable file may be
    /// replaced, as for a short name.
    private static func requireNoOther(than key: String, in folder: ValueFolder) throws(StoreError) {
        let file = ValueFileName.of(key)
        guard let bytes = try folder.read(file) else { return }
        let found: ValueFile
        do throws(StoreError) {
            found = try ValueFile(bytes, path: file)
        } catch {
            return
        }
        if UTF8Key(found.name) != UTF8Key(key) { throw misplaced(file, in: folder) }
    }

    private static func misplaced(_ file: String, in folder: ValueFolder) -> StoreError {
        ValueFile.corrupt(folder.path + "/" + file, "the value of another name")
    }
}
