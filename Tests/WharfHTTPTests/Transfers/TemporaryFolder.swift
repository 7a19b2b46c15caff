import Foundation

/// A folder of its own for one test.
struct TemporaryFolder {
    let path: String

    /// Gives a folder to `body`, and says what lies in it afterwards, before it is removed.
    @discardableResult
    static func contents(after body: (TemporaryFolder) async throws -> Void) async throws -> [String: [UInt8]] {
        // Without links, as the system tells the paths of open files.
        let root = URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath().path(percentEncoded: false)
        let folder = TemporaryFolder(path: "\(root)/wharf-transfer-\(UUID().uuidString)".replacing("//", with: "/"))
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let result: Result<[String: [UInt8]], any Error>
        do {
            try await body(folder)
            result = .success(try folder.contents())
        } catch {
            result = .failure(error)
        }
        try FileManager.default.removeItem(atPath: folder.path)
        return try result.get()
    }

    subscript(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: self[name])) }

    func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }

    func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            contents[name] = Array(try Data(contentsOf: URL(filePath: self[name])))
        }
        return contents
    }

    func permissions(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: self[name])[.posixPermissions] as? Int
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
