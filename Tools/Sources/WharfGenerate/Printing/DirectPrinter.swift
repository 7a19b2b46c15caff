/// Writes a schema as types that read and write themselves with WharfJSON.
///
/// The code is straight-line, like that of `@JSONCodable`.
struct DirectPrinter {
    let plan: Plan
    private var source = SourceText()

    /// The number of fields of an object that ``JSONReader`` supports.
    static let mostFields = 128

    static func source(of plan: Plan) throws(GenerationError) -> String {
        var printer = DirectPrinter(plan: plan)
        try printer.print()
        return printer.source.file
    }

    private init(plan: Plan) { self.plan = plan }

    private mutating func print() throws(GenerationError) {
        if plan.needsFoundation { source.line(plan.importing("Foundation")) }
        source.line(plan.importing("WharfJSON"))
        if plan.needsFoundation { source.line(plan.importing("WharfJSONFoundation", isExposed: false)) }
        source.line()
        plan.alias(into: &source)
        for (id, declaration) in plan.schema.declarations.enumerated() {
            switch declaration.content {
            case .object(let fields): try object(id, fields)
            case .enumeration(let cases):
                CodablePrinter.enumeration(plan, id, cases, into: &source)
            case .union(let union): try self.union(id, union)
            case .mixed(let types): mixed(id, types)
            }
            source.line()
        }
        formats()
    }

    // MARK: Objects

    private mutating func object(_ id: Int, _ fields: [Declaration.Field]) throws(GenerationError) {
        let (name, shape) = (plan.names.types[id], ObjectShape(id, fields, plan))
        guard fields.count <= Self.mostFields else {
            throw GenerationError(
                .tooManyFields,
                "expected an object of up to \(Self.mostFields) fields, found \(fields.count) in \(name); try --codable"
            )
        }
        for field in fields { try check(field.key, name) }
        let isClass = plan.isClass(id)
        let conformances = plan.conformances(nil, isHashable: plan.isHashable(id))
        source.block("\(plan.access)\(isClass ? "final class" : "struct") \(name)\(conformances)") { source in
            shape.properties(into: &source)
            if isClass || plan.options.access != .internal { shape.initializer(into: &source) }
        }
        source.line()
        source.block("extension \(name): JSONCodable") { source in
            DirectShape(shape, name, plan).print(into: &source)
        }
    }

    /// Checks a key: the reader compares keys as words known to the compiler, without escapes.
    private func check(_ key: String, _ type: String) throws(GenerationError) {
        guard key.unicodeScalars.allSatisfy({ $0 != "\"" && $0 != "\\" && $0.value >= 0x20 }) else {
            throw GenerationError(
                .unreadableKey,
                "expected keys without quotes, backslashes and control characters, found \(SourceText.literal(key)) in "
                    + "\(type); try --codable")
        }
    }

    // MARK: Unions

    private mutating func union(_ id: Int, _ union: Declaration.Union) throws(GenerationError) {
        let (access, name) = (plan.access, plan.names.types[id])
        for key in [union.tagKey, union.contentKey ?? ""] { try check(key, name) }
        let names = plan.names.cases(union.kinds.map(\.tag))
        let cases = zip(names, union.kinds).map { (name: $0, kind: $1) }
        let conformances = plan.conformances(nil, isHashable: plan.isHashable(id))
        source.block("\(access)\(plan.isIndirect(id) ? "indirect " : "")enum \(name)\(conformances)") { source in
            for (name, kind) in cases {
                source.line("case \(Names.escaped(name))" + (kind.type.map { "(\(plan.text($0)))" } ?? ""))
            }
            source.comment("A kind that the samples did not have.")
            source.line("case unknown(UnknownElement)")
        }
        source.line()
        source.block("extension \(name): JSONPolymorphic") { source in
            UnionShape(union, cases, name, plan).print(into: &source)
        }
    }

    // MARK: Mixed values

    private mutating func mixed(_ id: Int, _ types: [ValueType]) {
        let (access, name) = (plan.access, plan.names.types[id])
        let cases = types.map { (name: CodablePrinter.caseName($0), type: $0) }
        let conformances = plan.conformances("JSONCodable", isHashable: plan.isHashable(id))
        source.block("\(access)\(plan.isIndirect(id) ? "indirect " : "")enum \(name)\(conformances)") { source in
            for (name, type) in cases { source.line("case \(name)(\(plan.text(type)))") }
            source.line()
            source.block("\(access)static func decode(from json: inout JSONReader) -> \(name)?") { source in
                source.line("switch json.kind {")
                for (index, (name, type)) in cases.enumerated() {
                    let isLast = index == cases.count - 1
                    source.line(isLast ? "default:" : "case .\(Self.kind(type)):")
                    source.indented { source in
                        let format = DirectShape.format(type, plan)
                        source.line("\(format ?? plan.text(type)).decode(from: &json).map { .\(name)($0) }")
                    }
                }
                source.line("}")
            }
            source.line()
            source.block("\(access)func encode(into json: inout JSONWriter)") { source in
                source.line("switch self {")
                for (name, type) in cases {
                    let format = DirectShape.format(type, plan)
                    let write = format.map { "\($0).encode(value, into: &json)" } ?? "value.encode(into: &json)"
                    source.line("case .\(name)(let value): \(write)")
                }
                source.line("}")
            }
        }
    }

    private static func kind(_ type: ValueType) -> String {
        switch type {
        case .bool: "bool"
        case .integer, .unsigned, .decimal, .double: "number"
        case .array: "array"
        case .map, .declared, .anything: "object"
        case .string, .date, .uuid, .url, .optional: "string"
        }
    }

    // MARK: Formats

    private mutating func formats() {
        if plan.contains({ $0 == .date(hasMilliseconds: true) }) {
            source.comment("An instant in ISO 8601, in UTC, in milliseconds.")
            format(
                "ISO8601Milliseconds", "Date", "ISO8601.decode(from: &json)",
                "value.addingTimeInterval(0.0005).formatted(style)"
            ) { source in
                source.line("private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)")
                source.line()
            }
        }
        if plan.contains({ $0 == .uuid(isUppercase: false) }) {
            source.comment("A UUID in lowercase, as in the samples.")
            format("LowercaseUUID", "UUID", "UUID.decode(from: &json)", "value.uuidString.lowercased()") { _ in }
        }
    }

    private mutating func format(
        _ name: String, _ type: String, _ read: String, _ text: String, _ begin: (inout SourceText) -> Void
    ) {
        source.block("private enum \(name): JSONFormat") { source in
            begin(&source)
            source.line("static func decode(from json: inout JSONReader) -> \(type)? { \(read) }")
            source.line()
            source.block("static func encode(_ value: \(type), into json: inout JSONWriter)") { source in
                source.line("json.string(\(text))")
            }
        }
        source.line()
    }
}
