internal import Foundation

/// A temporary folder for one test, which is deleted with its last owner.
///
/// ```swift
/// let folder = try TemporaryFolder()
/// let store = try FileKeyValueStore(folder: folder["values"])
/// ```
///
/// Store it in a property of the suite. A folder in a local variable is deleted after its last use,
/// even if its files are still open. ``run(_:)`` makes a folder that lasts as long as a closure.
public final class TemporaryFolder: Sendable {
    /// The absolute path without symbolic links and without a slash at the end.
    ///
    /// The system reports the paths of open files in the same form.
    public let path: String

    /// Creates an empty folder in the system's temporary folder.
    ///
    /// - Throws: an error of the system if the folder can't be created.
    public init() throws {
        let root = URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath()
        let folder = root.appending(path: "wharf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path(percentEncoded: false)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("could not remove \(path): \(error)")
        }
    }

    /// Passes a folder to `body`, and removes it afterwards.
    public static func run<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        let folder = try TemporaryFolder()
        let result = try await body(folder)
        withExtendedLifetime(folder) {}
        return result
    }

    /// The path of a file in the folder.
    public subscript(name: String) -> String { "\(path)/\(name)" }

    /// The names of its files, including hidden ones, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Writes the bytes to a file in the folder.
    ///
    /// - Throws: an error of the system.
    public func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: self[name])) }

    /// Writes the text to a file in the folder, in UTF-8.
    ///
    /// - Throws: an error of the system.
    public func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }

    /// Returns the content of a file in the folder.
    ///
    /// - Throws: an error of the system if there is no such file.
    public func bytes(of name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: self[name]))) }

    /// Returns the POSIX permissions of a file in the folder, as for `chmod`.
    ///
    /// - Throws: an error of the system if there is no such file.
    public func permissions(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: self[name])
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }
}
