import Foundation

/// A folder that is gone with its last owner.
final class Scratch: Sendable {
    let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "wharf-stores-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            print("could not remove \(folder): \(error)")
        }
    }

    /// A new name in it each time.
    func fresh() -> String { folder + "/" + UUID().uuidString }
}

extension FileManager {
    func names(in folder: String) throws -> [String] { try contentsOfDirectory(atPath: folder).sorted() }

    func mode(_ path: String) throws -> Int? {
        try (attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}
