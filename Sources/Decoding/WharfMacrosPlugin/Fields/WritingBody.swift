#if Macros
/// The body of `encode(into:)`: writes an object's fields in the order of the properties.
struct WritingBody {
    let tree: FieldTree

    func write(to code: inout Code) {
        code.line("json.beginObject()")
        writeFields(of: tree, to: &code)
        code.line("json.endObject()")
    }

    private func writeFields(of tree: FieldTree, to code: inout Code) {
        for field in tree.fields {
            switch field.content {
            case .value(let property):
                writeField(field.key.literal, property, to: &code)
            case .object(let inner) where inner.isLeftOut:
                // All values nil: the object is left out too, and reads back as the same.
                let present = inner.properties.map { "\($0.value) != nil" }.joined(separator: " || ")
                code.block("if \(present)") { code in writeObject(field.key, inner, to: &code) }
            case .object(let inner):
                writeObject(field.key, inner, to: &code)
            }
        }
    }

    private func writeObject(_ key: String, _ tree: FieldTree, to code: inout Code) {
        code.line("json.key(\(key.literal))")
        code.line("json.beginObject()")
        writeFields(of: tree, to: &code)
        code.line("json.endObject()")
        code.line("json.endField()")
    }

    private func writeField(_ key: String, _ property: Property, to code: inout Code) {
        let verb = property.isLeftOut ? "fieldIfPresent" : "field"
        let format = property.writingFormat.map { ", as: \($0).self" } ?? ""
        code.line("json.\(verb)(\(key), \(property.value)\(format))")
    }
}

extension Property {
    /// The expression for the property, distinct from the writer's name.
    fileprivate var value: String { name == LocalNames.json ? "self.\(name)" : name }

    /// The format for the written value.
    ///
    /// If nil is not left out, it is an optional format.
    fileprivate var writingFormat: String? {
        format.map { format in
            switch presence {
            case .required, .defaulted(isOptional: false), .optional: format
            case .defaulted(isOptional: true), .threeWay: "\(format)?"
            }
        }
    }
}
#endif
