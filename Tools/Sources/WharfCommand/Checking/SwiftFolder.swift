import Foundation

/// Collects the Swift files of a folder, recursively.
///
/// Hidden files and package manifests are left out. Symbolic links are followed, and a file with
/// two paths is taken once.
struct SwiftFolder {
    private var seen: Set<FilePath.Item> = []
    private var files: [SourceFile] = []

    /// Returns the files in the order of their paths.
    ///
    /// - Parameter others: the paths of files that are in the program already.
    /// - Throws: ``CheckFailure``.
    static func files(in path: String, besides others: [String]) throws(CheckFailure) -> [SourceFile] {
        guard let item = FilePath.item(at: path) else {
            throw CheckFailure(OutputFailure("'\(path)' could not be read", errno: errno), .inputNotRead)
        }
        guard item.isFolder else {
            throw CheckFailure(
                "expected a folder, found the file '\(path)'; name its folder",
                .inputNotRead)
        }
        var folder = SwiftFolder()
        folder.seen = Set(others.compactMap(FilePath.item))
        try folder.walk(path)
        guard !folder.files.isEmpty else {
            throw CheckFailure("expected Swift files, found none in '\(path)'", .notCompiled)
        }
        if let main = folder.files.first(where: { $0.name == "main.swift" }) {
            throw CheckFailure(
                "'\(main.path)' is the entry point of a program, but a check has its own; move the types into a folder "
                    + "without it, and name that folder", .notCompiled)
        }
        return folder.files.sorted { $0.path < $1.path }
    }

    private mutating func walk(_ folder: String) throws(CheckFailure) {
        guard let item = FilePath.item(at: folder), seen.insert(item).inserted else { return }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw CheckFailure("'\(folder)' could not be read: \(error.localizedDescription)", .inputNotRead)
        }
        let paths = names.filter { !$0.hasPrefix(".") }.sorted().map { folder == "/" ? "/\($0)" : "\(folder)/\($0)" }
        // A folder's own items go before links, so that they keep their own path if a link leads to
        // them too.
        let (links, own) = (paths.filter(FilePath.isLink), paths.filter { !FilePath.isLink($0) })
        for path in own + links {
            if FilePath.item(at: path)?.isFolder == true {
                try walk(path)
            } else if path.hasSuffix(".swift") {
                try take(path)
            }
        }
    }

    private mutating func take(_ path: String) throws(CheckFailure) {
        if let item = FilePath.item(at: path), !seen.insert(item).inserted { return }
        do throws(OutputFailure) {
            let file = try SourceFile(path)
            if !file.isManifest { files.append(file) }
        } catch {
            throw CheckFailure(error, .inputNotRead)
        }
    }
}
