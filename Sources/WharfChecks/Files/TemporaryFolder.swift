internal import Foundation

/// A folder of its own for one test, which is gone with its last owner.
///
/// ```swift
/// let folder = try TemporaryFolder()
/// let store = try FileKeyValueStore(folder: folder["values"])
/// ```
///
/// A suite holds it as a property: what only a local variable holds is gone after its last use, be
/// the files still open or not. There is ``run(_:)`` for one that lasts as long as a closure.
public final class TemporaryFolder: Sendable {
    /// Without links, as the system tells the paths of open files, and without a slash at the end.
    public let path: String

    /// - Throws: an error of the system, when no folder can be made.
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

    /// Gives a folder to `body`, and removes it afterwards.
    public static func run<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        let folder = try TemporaryFolder()
        let result = try await body(folder)
        withExtendedLifetime(folder) {}
        return result
    }

    /// The path of a file in it.
    public subscript(name: String) -> String { "\(path)/\(name)" }

    /// What lies in it, hidden files too, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// - Throws: an error of the system.
    public func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: self[name])) }

    /// - Throws: an error of the system.
    public func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }

    /// - Throws: an error of the system, when there is no such file.
    public func bytes(of name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: self[name]))) }

    /// Who may do what with a file in it, as `chmod` has it.
    ///
    /// - Throws: an error of the system, when there is no such file.
    public func permissions(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: self[name])
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }
}
