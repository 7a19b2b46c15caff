/// The code with which a union reads and writes itself.
struct UnionShape {
    typealias Case = (name: String, kind: Declaration.Union.Kind)

    private let union: Declaration.Union
    private let cases: [Case]
    private let name: String
    private let plan: Plan

    init(_ union: Declaration.Union, _ cases: [Case], _ name: String, _ plan: Plan) {
        (self.union, self.cases, self.name, self.plan) = (union, cases, name, plan)
    }

    func print(into source: inout SourceText) {
        let access = plan.access
        source.block("\(access)enum Kind: String, CaseIterable, Sendable") { source in
            for (name, kind) in cases {
                let raw = kind.tag == name ? "" : " = \(SourceText.literal(kind.tag))"
                source.line("case \(Names.escaped(name))\(raw)")
            }
            // A raw value that no tag has.
            source.line("case unknown = \"\\u{0}\"")
        }
        source.line()
        source.line("\(access)static var discriminator: StaticString { \(SourceText.literal(union.tagKey)) }")
        let content = union.contentKey.map(SourceText.literal) ?? "nil"
        source.line("\(access)static var content: StaticString? { \(content) }")
        source.line("\(access)static var unknownKind: Kind? { .unknown }")
        source.line()
        kind(&source)
        source.line()
        decoding(&source)
        source.line()
        if union.contentKey != nil, cases.contains(where: { $0.kind.type == nil }) {
            empty(&source)
            source.line()
        }
        encoding(&source)
        source.line()
        source.line("\(access)static func keep(_ element: UnknownElement) -> \(name)? { .unknown(element) }")
        source.line()
        source.block("\(access)var unknownElement: UnknownElement?") { source in
            source.line("if case .unknown(let element) = self { element } else { nil }")
        }
    }

    private func kind(_ source: inout SourceText) {
        source.block("\(plan.access)var kind: Kind") { source in
            source.line("switch self {")
            for (name, _) in cases { source.line("case .\(name): .\(name)") }
            source.line("case .unknown: .unknown")
            source.line("}")
        }
    }

    private func decoding(_ source: inout SourceText) {
        let head = "\(plan.access)static func decode(_ kind: Kind, from json: inout JSONReader) -> \(name)?"
        source.block(head) { source in
            source.line("switch kind {")
            for (name, kind) in cases {
                source.line("case .\(name):")
                source.indented { source in
                    if let type = kind.type {
                        let reader = DirectShape.format(type, plan) ?? plan.text(type)
                        source.line("return \(reader).decode(from: &json).map { .\(name)($0) }")
                    } else {
                        source.line("json.skipValue()")
                        source.line("return .\(name)")
                    }
                }
            }
            source.line("case .unknown:")
            source.indented { $0.line("return nil") }
            source.line("}")
        }
    }

    private func empty(_ source: inout SourceText) {
        source.block("\(plan.access)static func empty(_ kind: Kind) -> \(name)?") { source in
            source.line("switch kind {")
            for (name, kind) in cases where kind.type == nil { source.line("case .\(name): .\(name)") }
            source.line("default: nil")
            source.line("}")
        }
    }

    private func encoding(_ source: inout SourceText) {
        source.block("\(plan.access)func encodeContent(into json: inout JSONWriter)") { source in
            source.line("switch self {")
            for (name, kind) in cases {
                guard let type = kind.type else {
                    source.line("case .\(name):")
                    source.indented { source in
                        source.line("json.beginObject()")
                        source.line("json.endObject()")
                    }
                    continue
                }
                let format = DirectShape.format(type, plan)
                let write = format.map { "\($0).encode(value, into: &json)" } ?? "value.encode(into: &json)"
                source.line("case .\(name)(let value): \(write)")
            }
            source.line("case .unknown(let element): element.encode(into: &json)")
            source.line("}")
        }
    }
}
