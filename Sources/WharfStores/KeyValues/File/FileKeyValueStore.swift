internal import Foundation
public import WharfCore
internal import WharfPrimitives

/// Keeps each value in a file of its own, in one folder that several processes may share.
///
/// ```swift
/// let store = try await FileKeyValueStore.open(at: "/home/me/.local/share/app/session")
/// ```
///
/// - A set writes another file and renames it: after a crash, a kill or a loss of power the old
///   value is there or the new one. When it returns, both the file and its name are on the disk.
/// - Files carry a checksum. One that is damaged, or that something else has put there, throws
///   ``WharfCore/StoreError/Code/corrupt`` for its own name, until that is set or removed. Only
///   where the damaged file is that of a name longer than 70 bytes, which nothing but its content
///   tells, does a listing throw too.
/// - Files are readable by their user alone (0600), as is the folder, if it was not there before
///   (0700). Other files in it are left alone.
public final class FileKeyValueStore: KeyValueStore {
    private let folder: ValueFolder
    // Reads don't wait for the disk to take a write.
    private let reads = DispatchQueue(label: "Wharf.values.reads", attributes: .concurrent)
    private let writes = DispatchQueue(label: "Wharf.values.writes")

    private init(_ folder: ValueFolder) { self.folder = folder }

    /// Opens a folder, or makes it with those above it, and removes what killed processes have left
    /// half-written.
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

    /// - Complexity: a look at the name of each file, and a read of those whose name is longer than
    ///   70 bytes.
    public func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        try await reads.run { [folder] () throws(StoreError) in
            var names: Set<UTF8Key> = []
            for file in try folder.names() {
                switch ValueFileName.meaning(of: file) {
                case .foreign: continue
                case .name(let name): names.insert(UTF8Key(name))
                case .hash:
                    // Removed since the folder was listed.
                    guard let bytes = try folder.read(file) else { continue }
                    let name = try ValueFile(bytes, path: folder.path + "/" + file).name
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

    /// Two long names of one hash must not take each other's place. What can't be read may be
    /// replaced, as it may for a short name.
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
        ValueFile.corrupt(folder.path + "/" + file, "that of another name")
    }
}
