import Foundation
import WharfChecks

extension TemporaryFolder {
    /// Passes a folder to `body`, and returns its content before it is removed.
    @discardableResult
    static func contents(after body: (TemporaryFolder) async throws -> Void) async throws -> [String: [UInt8]] {
        try await run { folder in
            try await body(folder)
            return try folder.contents()
        }
    }

    func contents() throws -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: try names.map { ($0, try bytes(of: $0)) })
    }

    /// The files in the folder that this process has open, if the system can list them.
    func openFiles() throws -> [String] {
        #if os(Linux)
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
            var target = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
            // Another test closed the descriptor meanwhile.
            guard count > 0 else { return nil }
            let file = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            return file.hasPrefix(path + "/") ? file : nil
        }
        #else
        []
        #endif
    }
}
