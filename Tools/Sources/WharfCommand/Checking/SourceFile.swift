/// A file that goes into a check program, as it was when it was read.
struct SourceFile: Sendable {
    /// As the command line has it, so that a compiler's message about it can be followed.
    var path: String
    var contents: [UInt8]

    /// - Throws: ``OutputFailure`` when it can't be read.
    init(_ path: String) throws(OutputFailure) {
        contents = try Descriptor.contents(of: path)
        self.path = path
    }

    var name: String { FilePath.name(of: path) }

    /// The manifest of a package, by its first line; a model may be called Package, too.
    var isManifest: Bool {
        guard name.hasPrefix("Package") else { return false }
        let line = String(decoding: contents.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.drop { $0 == "/" || $0 == " " }.lowercased().hasPrefix("swift-tools-version")
    }
}
