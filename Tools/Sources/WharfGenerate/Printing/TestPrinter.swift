import WharfJSON

/// Writes a test that decodes each sample, encodes the result, and compares the two.
struct TestPrinter {
    static func source(of plan: Plan, _ samples: [JSONValue]) -> String {
        var source = SourceText()
        let isDirect = plan.options.form == .direct
        source.line("import Foundation")
        source.line("import Testing")
        if isDirect { source.line("import WharfJSON") }
        source.line()
        source.line("// If the types are in another module, add an @testable import of it.")
        source.line()
        source.block("struct \(plan.rootName)Tests") { source in
            source.line("@Test(arguments: samples)")
            source.block("func aSampleIsWrittenBackAsItWas(_ sample: String) throws") { source in
                if isDirect {
                    source.line("let value = try JSON.decode(\(plan.rootName).self, from: sample)")
                    source.line("let written = Data(try JSON.encode(value))")
                } else {
                    source.line("let value = try JSONDecoder().decode(\(plan.rootName).self, from: Data(sample.utf8))")
                    source.line("let written = try JSONEncoder().encode(value)")
                }
                source.line("#expect(try Self.object(written) == Self.object(Data(sample.utf8)))")
            }
            source.line()
            source.block("private static func object(_ data: Data) throws -> NSObject?") { source in
                source.line("try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? NSObject")
            }
            source.line()
            source.line("private static let samples = [")
            source.indented { source in
                for sample in samples { source.line(literal(plan.schema.written(sample).description) + ",") }
            }
            source.line("]")
        }
        return source.file
    }

    /// Returns a raw string literal with enough `#` for the quotes in the text.
    private static func literal(_ text: String) -> String {
        var hashes = "#"
        while text.contains("\"" + hashes) || text.contains("\\" + hashes) { hashes += "#" }
        return "\(hashes)\"\(text)\"\(hashes)"
    }
}

extension Schema {
    /// Returns a sample as the types write it: without null if a field may be absent too.
    fileprivate func written(_ sample: JSONValue) -> JSONValue { written(sample, as: root) }

    private func written(_ value: JSONValue, as type: ValueType) -> JSONValue {
        switch (type, value.content) {
        case (.optional(let wrapped), _): return written(value, as: wrapped)
        case (.array(let element), .array(let elements)):
            return JSONValue(.array(elements.map { written($0, as: element) }))
        case (.map(let inner), .object(let members)):
            return JSONValue(.object(members.map { JSONMember($0.key, written($0.value, as: inner)) }))
        case (.declared(let id), _): return written(value, as: declarations[id].content)
        default: return value
        }
    }

    private func written(_ value: JSONValue, as content: Declaration.Content) -> JSONValue {
        switch (content, value.content) {
        case (.object(let fields), .object(let members)):
            return JSONValue(
                .object(
                    members.compactMap { member in
                        guard let field = fields.first(where: { $0.key == member.key }) else { return member }
                        if member.value.isNull { return field.mayBeAbsent ? nil : member }
                        return JSONMember(member.key, written(member.value, as: field.type))
                    }))
        case (.union(let union), .object(let members)):
            guard let kind = union.kinds.first(where: { $0.tag == value[union.tagKey]?.text }), let type = kind.type
            else {
                return value
            }
            guard let key = union.contentKey else { return written(value, as: type) }
            return JSONValue(
                .object(members.map { $0.key == key ? JSONMember(key, written($0.value, as: type)) : $0 }))
        case (.mixed(let types), _):
            let type = types.first { type in
                switch (type, value.content) {
                case (.array, .array), (.map, .object), (.declared, .object): true
                default: false
                }
            }
            return type.map { written(value, as: $0) } ?? value
        default: return value
        }
    }
}
