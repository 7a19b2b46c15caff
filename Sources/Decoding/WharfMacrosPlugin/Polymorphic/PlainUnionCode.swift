#if Macros
/// The `Codable` code of a union, for coders other than those of WharfJSON.
struct PlainUnionCode {
    private let model: PolymorphicModel

    init(_ model: PolymorphicModel) {
        self.model = model
    }

    func writeReading(_ access: String, to code: inout Code) {
        code.block("\(access)init(from decoder: any Decoder) throws") { code in
            code.line("let element = try PolymorphicDecoder<Self>(decoder)")
            code.choice("switch element.kind") { code in
                for one in model.cases {
                    let payload = one.payload.map { "(try element.payload(\($0.metatype)))" } ?? ""
                    code.line("case .\(one.name)?: self = .\(one.name)\(payload)")
                }
                if let unknown = model.unknown {
                    // A tag equal to the name of the unknown case is no known tag. The decoder
                    // gives nil for it, but the switch must be complete.
                    code.line("case .\(unknown.name)?, nil: self = .\(unknown.name)(try element.unknown())")
                } else {
                    code.line("case nil: throw element.unknownKind()")
                }
            }
        }
    }

    func writeWriting(_ access: String, to code: inout Code) {
        code.block("\(access)func encode(to encoder: any Encoder) throws") { code in
            let isUsed = model.cases.contains { _ in true }
            if isUsed { code.line("let element = PolymorphicEncoder<Self>(encoder)") }
            code.choice("switch self") { code in
                for one in model.cases {
                    if one.payload != nil {
                        code.line("case .\(one.name)(let payload): try element.encode(.\(one.name), payload)")
                    } else {
                        code.line("case .\(one.name): try element.encode(.\(one.name))")
                    }
                }
                if let unknown = model.unknown {
                    code.line("case .\(unknown.name)(let unknown): try unknown.encode(to: encoder)")
                }
            }
        }
    }
}
#endif
