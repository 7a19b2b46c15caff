import Foundation
import Synchronization
import WharfChecks

@testable import WharfStores

/// A folder, and suites of UserDefaults, that are deleted with their last owner.
final class Scratch: Sendable {
    private let temporary: TemporaryFolder
    private let suites = Mutex<[String]>([])

    init() throws { temporary = try TemporaryFolder() }

    deinit {
        for suite in suites.withLock({ $0 }) { UserDefaults().removePersistentDomain(forName: suite) }
    }

    /// A new path in the folder.
    func fresh() -> String { temporary[UUID().uuidString] }

    /// Truncates the file of a value.
    func damage(_ key: String, in folder: String) throws {
        let file = URL(filePath: folder + "/" + ValueFileName.of(key))
        try Data(try Data(contentsOf: file).dropLast()).write(to: file)
    }

    /// The name of a new suite.
    func suite() -> String {
        let name = "wharf-stores-\(UUID().uuidString)"
        suites.withLock { $0.append(name) }
        return name
    }
}

extension FileManager {
    func names(in folder: String) throws -> [String] { try contentsOfDirectory(atPath: folder).sorted() }

    func mode(_ path: String) throws -> Int? {
        try (attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}
