internal import Foundation
public import WharfSQLite

/// Cache files that were filled before the measuring begins, so that each measured process only
/// opens them.
public struct CacheFiles: Sendable {
    public static let variable = "WHARF_BENCH_DIR"
    /// The file with a million entries takes minutes to make, so it is asked for.
    public static var wantsMillion: Bool { ProcessInfo.processInfo.environment["WHARF_BENCH_MILLION"] != nil }
    private let directory: String

    public init(in directory: String) { self.directory = directory }

    /// Those in the directory that the environment names.
    public static func fromEnvironment() throws -> CacheFiles { CacheFiles(in: try directory) }

    static var directory: String {
        get throws {
            guard let directory = ProcessInfo.processInfo.environment[variable] else {
                throw WrongAnswer(expected: "a directory in \(variable), as Benchmarks/run sets it", found: "none")
            }
            return directory
        }
    }

    public func path(_ entries: Entries) -> String { "\(directory)/\(entries.count)x\(entries.length).sqlite" }

    public func exists(_ entries: Entries) -> Bool { FileManager.default.fileExists(atPath: path(entries)) }

    public func open(_ entries: Entries) async throws -> SQLiteCacheStore {
        try await SQLiteCacheStore.open(at: path(entries), byteLimit: 64 << 30, onIncident: Entries.stop)
    }
}
