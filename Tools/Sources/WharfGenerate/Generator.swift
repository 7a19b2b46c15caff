public import WharfJSON

/// Generates Swift types from samples of JSON.
///
/// ```swift
/// let files = try Generator.files(for: [sample], named: "Feed")
/// ```
///
/// All samples decide together. A field that one of them lacks is optional. Numbers are `Double` if
/// one of them has a fraction. Objects that a tag distinguishes are an enumeration.
///
/// The types decode the samples and encode them again without a change. Numbers are compared by
/// value. Null and absence are preserved for each field that only ever has one of the two.
public enum Generator {
    /// Returns the files with the types that the samples need.
    ///
    /// - Parameters:
    ///   - samples: documents of the same kind.
    ///   - name: the name of the document's type.
    /// - Returns: the types first, then the additions that the options ask for. The result is
    ///   deterministic.
    /// - Throws: ``GenerationError``. The form ``GenerationOptions/Form/direct`` can't read more
    ///   than 128 fields, or keys with quotes. A repository needs models with an id. A number must
    ///   fit a type, and an object must have the discriminator.
    /// - Complexity: linear in the size of the samples. Types that contain themselves indirectly
    ///   are inferred again for each level of the recursion.
    public static func files(
        for samples: [JSONValue], named name: String, _ options: GenerationOptions = .init()
    ) throws(GenerationError) -> [GeneratedFile] {
        let inferring = Inference.Options(discriminator: options.discriminator, findsUnions: options.findsUnions)
        var schema = try Inference.schema(of: samples, named: name, inferring)
        // A type alias has no code of its own that could apply a date's format.
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

/// A generated file of Swift source.
public struct GeneratedFile: Sendable, Hashable {
    /// The name of the file.
    public let name: String
    /// The source.
    public let text: String
}
