internal import Comparisons
internal import Foundation

/// Files with the bodies of entries, one file for each body.
public struct BareFiles: Sendable {
    private let directory: String

    /// Uses the files in a directory.
    public init(in directory: String) { self.directory = directory }

    /// Uses the directory that the environment names.
    public static func fromEnvironment() throws -> BareFiles { BareFiles(in: try CacheFiles.directory) }

    /// Returns the path of a body.
    public func path(_ index: Int) -> String { "\(directory)/body-\(index)" }

    /// Reads a body in pieces of 64 KiB, as the cache reads its files, and returns its length.
    public func read(_ path: String) throws -> Int {
        let pieceSize = 1 << 16
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw WrongAnswer(expected: "a file \(path), as Fill makes it", found: "none") }
        defer { close(file) }
        var length = 0
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: pieceSize) { bytes, count in
                count = max(0, pread(file, bytes.baseAddress, pieceSize, off_t(length)))
            }
            guard !piece.isEmpty else { return length }
            length += piece.count
        }
    }

    /// Creates the files.
    public func fill(_ entries: Entries) throws {
        for index in 0..<entries.count {
            try Data(entries.body(index)).write(to: URL(fileURLWithPath: path(index)))
        }
    }
}
