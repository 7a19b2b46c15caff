/// Writes a schema as `Codable` types.
///
/// They depend on nothing but Foundation, and on that only if a field has one of its types.
struct CodablePrinter {
    let plan: Plan
    private var source = SourceText()

    static func source(of plan: Plan) -> String {
        var printer = CodablePrinter(plan: plan)
        printer.print()
        return printer.source.file
    }

    private init(plan: Plan) { self.plan = plan }

    private mutating func print() {
        if plan.needsFoundation {
            source.line(plan.importing("Foundation"))
            source.line()
        }
        plan.alias(into: &source)
        for (id, declaration) in plan.schema.declarations.enumerated() {
            switch declaration.content {
            case .object(let fields): object(id, fields)
            case .enumeration(let cases): Self.enumeration(plan, id, cases, into: &source)
            case .union(let union): self.union(id, union)
            case .mixed(let types): mixed(id, types)
            }
            source.line()
        }
        CodableSupport(plan: plan).print(into: &source)
    }

    // MARK: Objects

    private mutating func object(_ id: Int, _ fields: [Declaration.Field]) {
        let shape = ObjectShape(id, fields, plan)
        let isClass = plan.isClass(id)
        let kind = isClass ? "final class" : "struct"
        // An initialiser in the struct suppresses the memberwise one, but one in an extension does
        // not.
        let codesInExtension = !isClass && shape.codesItself
        let conformances = plan.conformances(codesInExtension ? nil : "Codable", isHashable: plan.isHashable(id))
        source.block("\(plan.access)\(kind) \(plan.names.types[id])\(conformances)") { source in
            shape.properties(into: &source)
            if isClass || plan.options.access != .internal { shape.initializer(into: &source) }
            if !codesInExtension {
                shape.codingKeys(into: &source)
                if shape.codesItself {
                    source.line()
                    shape.decoding(into: &source, isRequired: isClass)
                    source.line()
                    shape.encoding(into: &source)
                }
            }
        }
        guard codesInExtension else { return }
        source.line()
        source.block("extension \(plan.names.types[id]): Codable") { source in
            shape.codingKeys(into: &source)
            source.line()
            shape.decoding(into: &source, isRequired: false)
            source.line()
            shape.encoding(into: &source)
        }
    }

    // MARK: Enumerations

    static func enumeration(_ plan: Plan, _ id: Int, _ cases: [String], into source: inout SourceText) {
        let access = plan.access
        let names = plan.names.cases(cases)
        let isDirect = plan.options.form == .direct
        // A `RawRepresentable` type with one of these conformances codes itself by its raw value.
        let form = isDirect ? "RawRepresentable, JSONCodable" : "Codable"
        let conformances = plan.conformances(form, isHashable: true)
        source.block("\(access)enum \(plan.names.types[id])\(conformances)") { source in
            for name in names { source.line("case \(Names.escaped(name))") }
            source.comment("A value that the samples did not have.")
            source.line("case unknown(String)")
            source.line()
            source.block("\(access)init(rawValue: String)") { source in
                source.line("switch rawValue {")
                for (name, text) in zip(names, cases) {
                    source.line("case \(SourceText.literal(text)): self = .\(name)")
                }
                source.line("default: self = .unknown(rawValue)")
                source.line("}")
            }
            source.line()
            source.block("\(access)var rawValue: String") { source in
                source.line("switch self {")
                for (name, text) in zip(names, cases) {
                    source.line("case .\(name): \(SourceText.literal(text))")
                }
                source.line("case .unknown(let text): text")
                source.line("}")
            }
            guard !isDirect else { return }
            source.line()
            source.block("\(access)init(from decoder: any Decoder) throws") { source in
                source.line("self.init(rawValue: try decoder.singleValueContainer().decode(String.self))")
            }
            source.line()
            source.block("\(access)func encode(to encoder: any Encoder) throws") { source in
                source.line("var container = encoder.singleValueContainer()")
                source.line("try container.encode(rawValue)")
            }
        }
    }

    // MARK: Unions

    private mutating func union(_ id: Int, _ union: Declaration.Union) {
        let access = plan.access
        let names = plan.names.cases(union.kinds.map(\.tag))
        let cases = zip(names, union.kinds).map { (name: $0, kind: $1) }
        let head = (plan.isIndirect(id) ? "indirect " : "") + "enum \(plan.names.types[id])"
        let conformances = plan.conformances("Codable", isHashable: plan.isHashable(id))
        source.block("\(access)\(head)\(conformances)") { source in
            for (name, kind) in cases {
                source.line("case \(Names.escaped(name))" + (kind.type.map { "(\(plan.text($0)))" } ?? ""))
            }
            source.comment("A kind that the samples did not have.")
            source.line("case unknown(\(plan.text(.anything)))")
            source.line()
            source.block("private enum CodingKeys: String, CodingKey") { source in
                source.line("case tag = \(SourceText.literal(union.tagKey))")
                if let key = union.contentKey { source.line("case content = \(SourceText.literal(key))") }
            }
            source.line()
            source.block("\(access)init(from decoder: any Decoder) throws") { source in
                source.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
                source.line("switch try container.decode(String.self, forKey: .tag) {")
                for (name, kind) in cases {
                    source.line("case \(SourceText.literal(kind.tag)):")
                    source.indented { source in
                        guard let type = kind.type else { return source.line("self = .\(name)") }
                        let value =
                            union.contentKey == nil
                            ? "try \(plan.text(type))(from: decoder)"
                            : Coded(type, plan).read("try container.decode", ", forKey: .content")
                        source.line("self = .\(name)(\(value))")
                    }
                }
                source.line("default:")
                source.indented { $0.line("self = .unknown(try \(plan.text(.anything))(from: decoder))") }
                source.line("}")
            }
            source.line()
            source.block("\(access)func encode(to encoder: any Encoder) throws") { source in
                source.line("switch self {")
                for (name, kind) in cases {
                    source.line("case .\(name)" + (kind.type == nil ? ":" : "(let value):"))
                    source.indented { source in
                        source.line("var container = encoder.container(keyedBy: CodingKeys.self)")
                        source.line("try container.encode(\(SourceText.literal(kind.tag)), forKey: .tag)")
                        guard let type = kind.type else { return }
                        if union.contentKey == nil {
                            source.line("try value.encode(to: encoder)")
                        } else {
                            source.line(
                                "try container.encode(\(Coded(type, plan).written("value")), forKey: .content)")
                        }
                    }
                }
                source.line("case .unknown(let value):")
                source.indented { $0.line("try value.encode(to: encoder)") }
                source.line("}")
            }
        }
    }

    // MARK: Mixed values

    private mutating func mixed(_ id: Int, _ types: [ValueType]) {
        let access = plan.access
        let cases = types.map { (name: Self.caseName($0), coded: Coded($0, plan)) }
        let head = (plan.isIndirect(id) ? "indirect " : "") + "enum \(plan.names.types[id])"
        let conformances = plan.conformances("Codable", isHashable: plan.isHashable(id))
        source.block("\(access)\(head)\(conformances)") { source in
            for (name, coded) in cases { source.line("case \(name)(\(plan.text(coded.type)))") }
            source.line()
            source.block("\(access)init(from decoder: any Decoder) throws") { source in
                source.line("let container = try decoder.singleValueContainer()")
                for (index, (name, coded)) in cases.enumerated() {
                    guard index < cases.count - 1 else {
                        source.line("self = .\(name)(\(coded.read("try container.decode", "")))")
                        break
                    }
                    source.line("if let value = try? container.decode(\(coded.codedText).self) {")
                    source.indented { source in
                        source.line("self = .\(name)(\(coded.unwrapped("value")))")
                        source.line("return")
                    }
                    source.line("}")
                }
            }
            source.line()
            source.block("\(access)func encode(to encoder: any Encoder) throws") { source in
                source.line("var container = encoder.singleValueContainer()")
                source.line("switch self {")
                for (name, coded) in cases {
                    source.line("case .\(name)(let value): try container.encode(\(coded.written("value")))")
                }
                source.line("}")
            }
        }
    }

    static func caseName(_ type: ValueType) -> String {
        switch type {
        case .bool: "bool"
        case .integer, .unsigned: "integer"
        case .decimal, .double: "number"
        case .array: "array"
        case .map, .declared: "object"
        default: "string"
        }
    }
}
