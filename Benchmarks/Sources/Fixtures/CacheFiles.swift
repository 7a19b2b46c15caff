internal import Comparisons
internal import Foundation
public import WharfSQLite

/// Cache files that are filled before the measurement.
///
/// Each measured process only opens them.
public struct CacheFiles: Sendable {
    /// The environment variable with the directory of the files.
    public static let variable = "WHARF_BENCH_DIR"
    /// Whether the file with a million entries is asked for.
    ///
    /// It takes minutes to create.
    public static var wantsMillion: Bool { ProcessInfo.processInfo.environment["WHARF_BENCH_MILLION"] != nil }
    private let directory: String

    /// Uses the files in a directory.
    public init(in directory: String) { self.directory = directory }

    /// Uses the directory that the environment names.
    public static func fromEnvironment() throws -> CacheFiles { CacheFiles(in: try directory) }

    static var directory: String {
        get throws {
            guard let directory = ProcessInfo.processInfo.environment[variable] else {
                throw WrongAnswer(expected: "a directory in \(variable), as Benchmarks/run sets it", found: "none")
            }
            return directory
        }
    }

    /// Returns the path of the file with these entries.
    public func path(_ entries: Entries) -> String { "\(directory)/\(entries.count)x\(entries.length).sqlite" }

    /// Returns whether the file with these entries exists.
    public func exists(_ entries: Entries) -> Bool { FileManager.default.fileExists(atPath: path(entries)) }

    /// Opens the file with these entries.
    public func open(_ entries: Entries) async throws -> SQLiteCacheStore {
        try await SQLiteCacheStore.open(at: path(entries), byteLimit: 64 << 30, onIncident: Entries.stop)
    }
}
