/// The source of Wharf's modules for check programs, which is installed with this program.
struct WharfSources: Sendable {
    /// The modules, each of which may import those before it.
    static let modules = ["WharfErrors", "WharfJSON", "WharfJSONFoundation", "WharfCheck"]

    /// The folder with a subfolder per module.
    let folder: String
    /// The folder of each module.
    let folders: [String]
    /// The files of each module, in the order of ``modules``.
    let files: [[SourceFile]]

    /// - Throws: ``CheckFailure`` if the sources are not found.
    init(beside executable: String?, environment: [String: String]) throws(CheckFailure) {
        guard let folder = Self.folder(beside: executable, environment) else {
            throw CheckFailure(
                "the sources that come with wharf are missing: they are neither in a checkout of Wharf around "
                    + "'\(executable ?? "wharf")' nor in ../share/wharf/Sources beside it; install wharf again "
                    + "by make install, or name their folder in WHARF_SOURCES", .internalError)
        }
        let folders = Self.modules.map { "\(folder)/\($0)" }
        var files: [[SourceFile]] = []
        do throws(CheckFailure) {
            for folder in folders { files.append(try SwiftFolder.files(in: folder, besides: [])) }
        } catch {
            throw CheckFailure("the sources that come with wharf can't be read: \(error.message)", .internalError)
        }
        (self.folder, self.folders, self.files) = (folder, folders, files)
    }

    private static func folder(beside executable: String?, _ environment: [String: String]) -> String? {
        if let named = environment["WHARF_SOURCES"], !named.isEmpty { return named }
        var folder = executable.flatMap(FilePath.real).flatMap(FilePath.folder)
        if let folder, let installed = FilePath.real("\(folder)/../share/wharf/Sources"), holdsModules(installed) {
            return installed
        }
        while let candidate = folder {
            let checkedOut = "\(candidate)/Sources/Decoding"
            if holdsModules(checkedOut), FilePath.item(at: "\(candidate)/Package.swift") != nil { return checkedOut }
            folder = FilePath.folder(of: candidate)
        }
        return nil
    }

    private static func holdsModules(_ folder: String) -> Bool {
        modules.allSatisfy { FilePath.item(at: "\(folder)/\($0)")?.isFolder == true }
    }
}
