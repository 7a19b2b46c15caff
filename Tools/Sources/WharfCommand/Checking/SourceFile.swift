/// A file for a check program, with the content at the time of reading.
struct SourceFile: Sendable {
    /// The path as in the command line, so that compiler messages refer to it.
    var path: String
    var contents: [UInt8]

    /// - Throws: ``OutputFailure`` if it can't be read.
    init(_ path: String) throws(OutputFailure) {
        contents = try Descriptor.contents(of: path)
        self.path = path
    }

    var name: String { FilePath.name(of: path) }

    /// Whether its first line shows that it is a package manifest.
    ///
    /// The name is not enough, as a model may be called Package too.
    var isManifest: Bool {
        guard name.hasPrefix("Package") else { return false }
        let line = String(decoding: contents.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.drop { $0 == "/" || $0 == " " }.lowercased().hasPrefix("swift-tools-version")
    }
}
