/// Writes a repository of the models on top of a `WharfStack`.
struct RepositoryPrinter {
    /// - Throws: ``GenerationError`` if the document is neither a model with an id nor a list of
    ///   them.
    static func source(of plan: Plan, from payload: Plan) throws(GenerationError) -> String {
        let model: ValueType = if case .array(let element) = plan.schema.root { element } else { plan.schema.root }
        guard case .declared(let id) = model, plan.isIdentifiable(id) else {
            throw GenerationError(
                .noID,
                "--repository: expected a list of objects with an id that is a number, a text or a UUID, or one such object, "
                    + "found none in \(plan.rootName)")
        }
        let (name, sent) = (plan.names.types[id], payload.names.types[id])
        let words = Words(String(name.dropFirst(plan.options.prefix.count))).all.map { $0.lowercased() }
        let path = Words.plural(words.joined(separator: "-"))
        let function = Names.escaped(Words(path).lowerCamelCase([]))
        var source = SourceText()
        source.line(plan.importing("Wharf"))
        source.line()
        source.block("extension WharfStack") { source in
            source.comment(
                "`GET <path>` returns the list, `GET <path>/<id>` an element; POST, PUT and DELETE change it. Keep it.")
            source.call(
                "\(plan.access)func \(function)", ["at path: RequestPath = \(SourceText.literal(path))"],
                " -> Repository<\(name)> {")
            source.indented { source in
                source.line("repository(at: path, payload: \(sent).self) {")
                source.indented { $0.line("\(name)($0)") }
                source.line("} payloadOf: {")
                source.indented { $0.line("\(sent)($0)") }
                source.line("}")
            }
            source.line("}")
        }
        return source.file
    }
}
