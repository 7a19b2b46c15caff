/// Writes the domain types of an app, without JSON, with mappings from and to the payloads.
struct DomainPrinter {
    private let plan: Plan
    private let payload: Plan
    private var source = SourceText()

    static func source(of plan: Plan, from payload: Plan) -> String {
        var printer = DomainPrinter(plan: plan, payload: payload)
        printer.print()
        return printer.source.file
    }

    private init(plan: Plan, payload: Plan) { (self.plan, self.payload) = (plan, payload) }

    private mutating func print() {
        if plan.needsFoundation { source.line(plan.importing("Foundation")) }
        // Domain types keep values of unknown type too.
        if plan.options.form == .direct, plan.needsUnknown { source.line(plan.importing("WharfJSON")) }
        source.line()
        plan.alias(into: &source)
        for (id, declaration) in plan.schema.declarations.enumerated() {
            switch declaration.content {
            case .object(let fields): object(id, fields)
            case .enumeration(let cases):
                let names = plan.names.cases(cases).map { ($0, ValueType?.none) }
                enumeration(id, names, unknown: "String")
            case .union(let union):
                let names = plan.names.cases(union.kinds.map(\.tag))
                let unknown = plan.options.form == .codable ? plan.text(.anything) : "UnknownElement"
                enumeration(id, Array(zip(names, union.kinds.map(\.type))), unknown: unknown)
            case .mixed(let types):
                enumeration(id, types.map { (CodablePrinter.caseName($0), $0) }, unknown: nil)
            }
            source.line()
        }
    }

    private mutating func object(_ id: Int, _ fields: [Declaration.Field]) {
        let (name, sent) = (plan.names.types[id], payload.names.types[id])
        let shape = ObjectShape(id, fields, plan)
        let isClass = plan.isClass(id)
        let first = plan.isIdentifiable(id) ? "Identifiable" : nil
        let conformances = plan.conformances(first, isHashable: plan.isHashable(id))
        source.block("\(plan.access)\(isClass ? "final class" : "struct") \(name)\(conformances)") { source in
            shape.properties(into: &source)
            if isClass || plan.options.access != .internal { shape.initializer(into: &source) }
        }
        for (target, value, from, to) in [(name, "payload", sent, plan), (sent, "model", name, payload)] {
            source.line()
            source.block("extension \(target)") { source in
                source.block("\(plan.access)\(isClass ? "convenience " : "")init(_ \(value): \(from))") { source in
                    source.call(
                        "self.init",
                        shape.fields.map { field, name in
                            let type = field.isOptional ? ValueType.optional(field.type) : field.type
                            return "\(name): \(Self.mapped(type, "\(value).\(name)", to))"
                        })
                }
            }
        }
    }

    private mutating func enumeration(_ id: Int, _ cases: [(name: String, type: ValueType?)], unknown: String?) {
        let (name, sent) = (plan.names.types[id], payload.names.types[id])
        let conformances = plan.conformances(nil, isHashable: plan.isHashable(id))
        source.block("\(plan.access)\(plan.isIndirect(id) ? "indirect " : "")enum \(name)\(conformances)") { source in
            for (name, type) in cases {
                source.line("case \(Names.escaped(name))" + (type.map { "(\(plan.text($0)))" } ?? ""))
            }
            if let unknown {
                source.comment("A value that the samples did not have.")
                source.line("case unknown(\(unknown))")
            }
        }
        for (target, value, from, to) in [(name, "payload", sent, plan), (sent, "model", name, payload)] {
            source.line()
            source.block("extension \(target)") { source in
                source.block("\(plan.access)init(_ \(value): \(from))") { source in
                    source.line("switch \(value) {")
                    for (name, type) in cases {
                        guard let type else {
                            source.line("case .\(name): self = .\(name)")
                            continue
                        }
                        source.line("case .\(name)(let value): self = .\(name)(\(Self.mapped(type, "value", to)))")
                    }
                    if unknown != nil { source.line("case .unknown(let value): self = .unknown(value)") }
                    source.line("}")
                }
            }
        }
    }

    /// - Parameter plan: the plan with the names of the target types.
    private static func mapped(_ type: ValueType, _ value: String, _ plan: Plan) -> String {
        switch type {
        case .declared(let id): "\(plan.names.types[id])(\(value))"
        case .array(let inner), .optional(let inner):
            inner.declared.isEmpty ? value : "\(value).map { \(mapped(inner, "$0", plan)) }"
        case .map(let inner):
            inner.declared.isEmpty ? value : "\(value).mapValues { \(mapped(inner, "$0", plan)) }"
        default: value
        }
    }
}

extension Plan {
    /// Returns whether the type has an `id` that can identify it.
    func isIdentifiable(_ id: Int) -> Bool {
        guard case .object(let fields) = schema.declarations[id].content else { return false }
        let names = names.properties(fields.map(\.key))
        return zip(fields, names).contains { field, name in
            guard name == "id", !field.isOptional else { return false }
            return switch field.type {
            case .integer, .unsigned, .string, .uuid: true
            default: false
            }
        }
    }
}
