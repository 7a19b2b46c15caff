public import Foundation
internal import Synchronization

/// Runs the command `swift`.
public struct SwiftCommand: Sendable {
    /// A failed run, with its output.
    public struct Failure: Error, CustomStringConvertible {
        public let arguments: [String]
        public let status: Int32
        public let output: String

        public var description: String {
            "swift \(arguments.joined(separator: " ")) ended with exit code \(status) and printed:\n\(output)"
        }
    }

    /// Serialises runs: on Linux two children of Foundation's `Process` may deadlock
    /// (swift-corelibs-foundation#4795).
    private static let lock = Mutex(())

    /// Returns the standard output of `swift` with these arguments. Standard error is only part of
    /// a failure.
    public static func output(of arguments: [String]) throws -> Data {
        let files = FileManager.default.temporaryDirectory.appending(path: "swift-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { removeScratch(files) }
        // Output goes to files, as a full pipe would block the process for ever.
        let (out, err) = (files.appending(path: "out"), files.appending(path: "err"))
        for file in [out, err] { try Data().write(to: file) }

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swift"] + arguments
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        try lock.withLock { _ in
            try process.run()
            process.waitUntilExit()
        }
        guard process.terminationStatus == 0 else {
            let printed = try String(decoding: Data(contentsOf: out) + Data(contentsOf: err), as: UTF8.self)
            throw Failure(arguments: arguments, status: process.terminationStatus, output: printed)
        }
        return try Data(contentsOf: out)
    }
}

/// Removes a folder of scratch files. If that fails, it prints the folder and continues.
public func removeScratch(_ folder: URL) {
    do {
        try FileManager.default.removeItem(at: folder)
    } catch {
        print("could not remove \(folder.path): \(error)")
    }
}
