/// The code with which an object reads and writes itself.
struct DirectShape {
    private let shape: ObjectShape
    private let name: String
    private let plan: Plan

    init(_ shape: ObjectShape, _ name: String, _ plan: Plan) {
        (self.shape, self.name, self.plan) = (shape, name, plan)
    }

    /// Returns the format for a value; nil if its type has the right one.
    static func format(_ type: ValueType, _ plan: Plan) -> String? {
        switch type {
        case .date(hasMilliseconds: true): "ISO8601Milliseconds"
        case .uuid(isUppercase: false): "LowercaseUUID"
        case .array(let element): format(element, plan).map { "[\($0)]" }
        case .optional(let wrapped): format(wrapped, plan).map { "\($0)?" }
        default: nil
        }
    }

    func print(into source: inout SourceText) {
        source.block("\(plan.access)static func decode(from json: inout JSONReader) -> \(name)?") { decoding(&$0) }
        source.line()
        source.block("\(plan.access)func encode(into json: inout JSONWriter)") { encoding(&$0) }
    }

    private func decoding(_ source: inout SourceText) {
        source.line("guard var fields = json.beginObject() else { return nil }")
        for (field, name) in shape.fields {
            source.line("var \(local(name)): \(plan.text(field.type))?\(field.isOptional ? "?" : "")")
        }
        source.line("repeat {")
        source.indented { source in
            for (index, (field, name)) in shape.fields.enumerated() {
                let format =
                    Self.format(field.type, plan).map { format in
                        ", as: \(format)\(field.isOptional ? "?" : "").self"
                    } ?? ""
                source.line(
                    "json.read(\(SourceText.literal(field.key)), \(index)\(format), into: &\(local(name)), &fields)")
            }
        }
        source.line("} while json.next(&fields)")
        let required = shape.fields.enumerated().filter { !$0.element.field.isOptional }
        if !required.isEmpty {
            // Separate bindings, so that each missing key is reported by its name.
            let bindings = required.map { "let \(local($0.element.name))" }
            source.list("guard", bindings, "else {")
            source.indented { source in
                let keys = required.map { "(\($0.offset), \(SourceText.literal($0.element.field.key)))" }
                source.call("return json.incomplete", ["fields", "required: [\(keys.joined(separator: ", "))]"])
            }
            source.line("}")
        }
        source.call(
            "return \(name)",
            shape.fields.map { field, name in
                "\(name): \(local(name))\(field.isOptional ? " ?? nil" : "")"
            })
    }

    private func encoding(_ source: inout SourceText) {
        source.line("json.beginObject()")
        for (field, name) in shape.fields {
            let method = field.isOptional && field.mayBeAbsent ? "fieldIfPresent" : "field"
            let isWritten = field.isOptional && !field.mayBeAbsent
            let format = Self.format(field.type, plan).map { ", as: \($0)\(isWritten ? "?" : "").self" } ?? ""
            source.line("json.\(method)(\(SourceText.literal(field.key)), self.\(name)\(format))")
        }
        source.line("json.endObject()")
    }

    /// Returns the name of a variable that does not collide with the code's own variables.
    private func local(_ name: String) -> String {
        ["json", "fields"].contains(name) ? name + "_" : Names.escaped(name)
    }
}
