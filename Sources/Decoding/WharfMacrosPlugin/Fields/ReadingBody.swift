#if Macros
/// The body of `init?(json:)`: straight-line code that reads an object's fields and assigns them.
struct ReadingBody {
    private let tree: FieldTree
    private let properties: [Property]
    private let names: LocalNames

    init(_ tree: FieldTree) {
        self.tree = tree
        properties = tree.properties
        names = LocalNames(properties)
    }

    func write(to code: inout Code) {
        code.line("guard var fields = json.beginObject() else { return nil }")
        for property in properties {
            // Two optionals for an optional property: the outer nil is a missing key, the inner one
            // is null.
            let depth = property.type.depth > 0 ? 2 : 1
            code.line("var \(names.held(property)): \(property.type.optional(depth))")
        }
        writeRounds(of: tree, at: [], to: &code)
        writeAssignments(to: &code)
    }

    private func writeRounds(of tree: FieldTree, at path: [String], to code: inout Code) {
        let fields = names.fields(at: path)
        code.block("repeat", closing: "} while json.next(&\(fields))") { code in
            for (index, field) in tree.fields.enumerated() {
                switch field.content {
                case .value(let property):
                    let format = property.optionalFormat.map { "as: \($0).self, " } ?? ""
                    code.line(
                        "json.read(\(field.key.literal), \(index), \(format)into: &\(names.held(property)), &\(fields))"
                    )
                case .object(let inner):
                    code.block("if json.key(\(field.key.literal), \(index), &\(fields))") { code in
                        writeNested(inner, at: path + [field.key], to: &code)
                        code.line("json.endField(&\(fields))")
                    }
                }
            }
        }
    }

    private func writeNested(_ tree: FieldTree, at path: [String], to code: inout Code) {
        let fields = names.fields(at: path)
        // Null equals missing here. Otherwise `beginObject` notes it as an error.
        let isOpen = (tree.isLeftOut ? "!json.null(), " : "") + "var \(fields) = json.beginObject()"
        code.block("if \(isOpen)") { code in
            writeRounds(of: tree, at: path, to: &code)
            // The missing keys are noted at the inner object, whose place is known only here.
            let required = tree.required
            guard !required.isEmpty else { return }
            code.block("if \(required.map { "\(names.held($0)) == nil" }.joined(separator: " || "))") { code in
                writeIncomplete(tree, fields, to: &code)
            }
        }
    }

    private func writeIncomplete(_ tree: FieldTree, _ fields: String, to code: inout Code) {
        let list = tree.requiredFields.map { "(\($0.index), \($0.key.literal))" }.joined(separator: ", ")
        code.line("json.incomplete(\(fields), required: [\(list)])")
    }

    private func writeAssignments(to code: inout Code) {
        let required = properties.filter(\.isRequired)
        if !required.isEmpty {
            let conditions = required.map { "let \(names.held($0))" }.joined(separator: ", ")
            code.block("guard \(conditions) else") { code in
                writeIncomplete(tree, names.fields(at: []), to: &code)
                code.line("return nil")
            }
        }
        for property in properties {
            let held = names.held(property)
            switch property.presence {
            case .required, .threeWay: code.line("self.\(property.name) = \(held)")
            case .optional: code.line("self.\(property.name) = \(held) ?? nil")
            // Assigned only if it was read, so the initial value stays for a missing key.
            case .defaulted: code.line("if let \(held) { self.\(property.name) = \(held) }")
            }
        }
    }
}

extension Property {
    /// The format for the variable's type, which is optional for an optional property.
    fileprivate var optionalFormat: String? {
        format.map { type.depth > 0 ? "\($0)?" : $0 }
    }
}
#endif
