public import WharfJSON

/// Swift types made of samples of JSON.
///
/// ```swift
/// let files = try Generator.files(for: [sample], named: "Feed")
/// ```
///
/// What all samples have in common decides: a field that one of them lacks is optional, numbers of
/// which one has a fraction are `Double`, objects that a tag tells apart are an enumeration. What
/// the types decode and encode again equals the samples, numbers compared by value, where null and
/// absence are told apart for each field that is only ever one of the two.
public enum Generator {
    /// - Parameters:
    ///   - samples: of one kind of document.
    ///   - name: of the document's type.
    /// - Returns: the types first, then what the options ask for beside them; the same for the same
    ///   samples.
    /// - Throws: where ``GenerationOptions/Form/direct`` can't read what the samples have, more
    ///   than 128 fields or keys with quotes; or a repository is asked for of models without an id;
    ///   where a number is beyond all types, or no object has the discriminator.
    /// - Complexity: linear in the samples' size. Types that contain themselves by way of others
    ///   are made again for each level to which they do.
    public static func files(
        for samples: [JSONValue], named name: String, _ options: GenerationOptions = .init()
    ) throws(GenerationError) -> [GeneratedFile] {
        let inferring = Inference.Options(discriminator: options.discriminator, findsUnions: options.findsUnions)
        var schema = try Inference.schema(of: samples, named: name, inferring)
        // An alias has no code of its own that would know the form of a date.
        if !schema.isRootDeclared { schema.root = schema.root.withoutForms }
        schema = schema.readable(in: options.form)
        let hasDomain = options.hasDomain || options.hasRepository
        let sent = Plan(schema, name, options, suffix: hasDomain ? "Payload" : "")
        let types =
            switch options.form {
            case .codable: CodablePrinter.source(of: sent)
            case .direct: try DirectPrinter.source(of: sent)
            }
        var files = [GeneratedFile(name: sent.rootName + ".swift", text: types)]
        if hasDomain {
            let plan = Plan(schema, name, options)
            files.append(.init(name: plan.rootName + ".swift", text: DomainPrinter.source(of: plan, from: sent)))
            if options.hasRepository {
                let repository = try RepositoryPrinter.source(of: plan, from: sent)
                files.append(.init(name: "WharfStack+\(plan.rootName).swift", text: repository))
            }
        }
        if options.hasTests {
            files.append(.init(name: sent.rootName + "Tests.swift", text: TestPrinter.source(of: sent, samples)))
        }
        return files
    }
}

/// A file of Swift source.
public struct GeneratedFile: Sendable, Hashable {
    public let name: String
    public let text: String
}
