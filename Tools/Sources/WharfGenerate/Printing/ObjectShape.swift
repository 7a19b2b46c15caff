/// The parts of an object's declaration.
struct ObjectShape {
    let fields: [(field: Declaration.Field, name: String)]
    private let id: Int
    private let plan: Plan

    init(_ id: Int, _ fields: [Declaration.Field], _ plan: Plan) {
        (self.id, self.plan) = (id, plan)
        self.fields = Array(zip(fields, plan.names.properties(fields.map(\.key))))
    }

    /// Whether synthesized coding would change the document.
    ///
    /// It omits null, and does not know formats.
    var codesItself: Bool {
        fields.contains { field, _ in
            field.mayBeNull && !field.mayBeAbsent || field.type == .anything || Coded(field.type, plan).isWrapped
        }
    }

    private var hasOwnKeys: Bool { fields.contains { $0.field.key != $0.name } }

    func typeText(_ field: Declaration.Field) -> String {
        plan.text(field.type) + (field.isOptional ? "?" : "")
    }

    // MARK: Parts

    func properties(into source: inout SourceText) {
        for (field, name) in fields {
            if field.mayBeNull, field.mayBeAbsent { source.comment("Absent or null; nil is written as absent.") }
            source.line("\(plan.access)\(plan.binding(id)) \(Names.escaped(name)): \(typeText(field))")
        }
    }

    func initializer(into source: inout SourceText) {
        source.line()
        let arguments = fields.map { field, name in
            "\(name): \(typeText(field))" + (field.isOptional ? " = nil" : "")
        }
        source.call("\(plan.access)init", arguments, " {")
        source.indented { source in
            for (_, name) in fields { source.line("self.\(name) = \(Names.escaped(name))") }
        }
        source.line("}")
    }

    func codingKeys(into source: inout SourceText) {
        guard hasOwnKeys || codesItself, !fields.isEmpty else { return }
        source.line()
        source.block("private enum CodingKeys: String, CodingKey") { source in
            for (field, name) in fields {
                let raw = field.key == name ? "" : " = \(SourceText.literal(field.key))"
                source.line("case \(Names.escaped(name))\(raw)")
            }
        }
    }

    func decoding(into source: inout SourceText, isRequired: Bool) {
        source.block("\(plan.access)\(isRequired ? "required " : "")init(from decoder: any Decoder) throws") { source in
            source.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            for (field, name) in fields {
                let coded = Coded(field.type, plan)
                let method = field.isOptional ? "decodeIfPresent" : "decode"
                let value = coded.read(
                    "try container.\(method)", ", forKey: .\(name)", isOptional: field.isOptional)
                source.line("self.\(name) = \(value)")
            }
        }
    }

    func encoding(into source: inout SourceText) {
        source.block("\(plan.access)func encode(to encoder: any Encoder) throws") { source in
            source.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for (field, name) in fields {
                let method = field.mayBeAbsent ? "encodeIfPresent" : "encode"
                let value = Coded(field.type, plan).written(Self.value(name), isOptional: field.isOptional)
                source.line("try container.\(method)(\(value), forKey: .\(name))")
            }
        }
    }

    private static func value(_ name: String) -> String {
        name == "container" || name == "encoder" || Reserved.keywords.contains(name) ? "self.\(name)" : name
    }
}
