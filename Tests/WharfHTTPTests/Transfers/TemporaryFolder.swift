import Foundation
import WharfChecks

extension TemporaryFolder {
    /// Gives a folder to `body`, and says what lies in it afterwards, before it is removed.
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

    /// Files in it that this process has open, where the system tells.
    func openFiles() throws -> [String] {
        #if os(Linux)
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
            var target = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
            // One that another test closed meanwhile.
            guard count > 0 else { return nil }
            let file = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            return file.hasPrefix(path + "/") ? file : nil
        }
        #else
        []
        #endif
    }
}
