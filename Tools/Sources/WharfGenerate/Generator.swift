public import WharfJSON

/// Swift types made of samples of JSON.
///
/// ```swift
/// let source = try Generator.source(for: [sample], named: "Feed")
/// ```
///
/// What all samples have in common decides: a field that one of them lacks is optional, numbers of which one has a fraction are
/// `Double`, objects that a tag tells apart are an enumeration. What the types decode and encode again equals the samples, numbers
/// compared by value, where null and absence are told apart for each field that is only ever one of the two.
public enum Generator {
    /// - Parameters:
    ///   - samples: of one kind of document.
    ///   - name: of the document's type.
    /// - Throws: where ``GenerationOptions/Form/direct`` can't read what the samples have: more than 128 fields, keys with quotes.
    /// - Returns: the text of a Swift file; the same for the same samples.
    /// - Complexity: linear in the samples' size, times the depth to which a type contains itself.
    public static func source(
        for samples: [JSONValue], named name: String, _ options: GenerationOptions = .init()
    ) throws(GenerationError) -> String {
        let inferring = Inference.Options(discriminator: options.discriminator, findsUnions: options.findsUnions)
        var schema = Inference.schema(of: samples, named: name, inferring)
        // An alias has no code of its own that would know the form of a date.
        if !schema.isRootDeclared { schema.root = schema.root.withoutForms }
        let plan = Plan(schema.readable(in: options.form), name, options)
        return switch options.form {
        case .codable: CodablePrinter.source(of: plan)
        case .direct: try DirectPrinter.source(of: plan)
        }
    }

    /// The name of the document's type, as the source has it.
    public static func typeName(_ name: String, _ options: GenerationOptions = .init()) -> String {
        options.prefix + Names.typeName(name, Set(options.acronyms.map { $0.lowercased() }))
    }
}
