public import Foundation

/// The source files of Wharf's targets.
public enum Tree {
    /// Returns the Swift files below a folder, as paths from the root, sorted.
    public static func swiftFiles(under folder: String, of root: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { $0.hasSuffix(".swift") }
            .sorted()
            .map { "\(folder)/\($0)" }
    }

    /// Returns the folder of a library target, for example `Sources/Data/WharfOutbox`.
    public static func folder(of target: String, at root: URL) -> String? {
        let files = FileManager.default
        let rooms = (try? files.contentsOfDirectory(atPath: root.appending(path: "Sources").path)) ?? []
        // Rooms come first: a checkout may still have an empty folder of the time before the rooms.
        return (rooms.sorted().map { "Sources/\($0)/\(target)" } + ["Sources/\(target)"])
            .first { files.fileExists(atPath: root.appending(path: $0).path) }
    }

    /// Returns the imports of each file of a library target.
    public static func imports(of target: String, at root: URL) throws -> [(file: String, imports: [Import])] {
        guard let folder = folder(of: target, at: root) else { throw CocoaError(.fileNoSuchFile) }
        return try swiftFiles(under: folder, of: root).map { file in
            (file, Import.scan(try String(contentsOf: root.appending(path: file), encoding: .utf8)))
        }
    }

    /// Returns the number of lines in the targets among `modules`. Modules from elsewhere count as
    /// none.
    public static func lines(of modules: Set<String>, at root: URL) throws -> Int {
        try modules.compactMap { folder(of: $0, at: root) }
            .flatMap { try swiftFiles(under: $0, of: root) }
            .reduce(0) { count, file in
                let bytes = try Data(contentsOf: root.appending(path: file))
                return count
                    + String(decoding: bytes, as: UTF8.self).split(separator: "\n").count { line in
                        let code = line.drop { $0 == " " }
                        return !code.isEmpty && !code.hasPrefix("//")
                    }
            }
    }
}
