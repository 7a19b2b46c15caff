/// The user's files, read once, so that the fingerprint and the build see the same bytes.
struct CheckInputs: Sendable {
    let sources: [SourceFile]
    /// The files with the rules and the decoder.
    let others: [SourceFile]
    let module: CheckedModule

    var count: Int { sources.count + others.count }

    init(_ plan: CheckPlan) throws(CheckFailure) {
        var others: [SourceFile] = []
        var paths = [plan.rules, plan.decoder].compactMap { $0 }
        // One file may contain both.
        if paths.count == 2, FilePath.item(at: paths[0]) == FilePath.item(at: paths[1]) { paths.removeLast() }
        for path in paths {
            do throws(OutputFailure) { others.append(try SourceFile(FilePath.argument(path))) } catch {
                throw CheckFailure(error, .inputNotRead)
            }
        }
        self.others = others
        sources = try SwiftFolder.files(in: plan.folder, besides: others.map(\.path))
        module = CheckedModule(
            folder: plan.folder, type: plan.type, hasRules: plan.rules != nil, hasDecoder: plan.decoder != nil,
            constants: SourceConstants.found(in: sources))
    }
}
