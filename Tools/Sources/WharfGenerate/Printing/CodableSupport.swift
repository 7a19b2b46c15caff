/// The helper types that generated `Codable` code needs, if any.
struct CodableSupport {
    let plan: Plan

    func print(into source: inout SourceText) {
        if plan.needsUnknown { anyJSON(&source) }
        if plan.contains({ $0 == .date(hasMilliseconds: false) }) {
            date(&source, "ISO8601Seconds", "whole seconds", "Date.ISO8601FormatStyle()")
        }
        if plan.contains({ $0 == .date(hasMilliseconds: true) }) {
            date(
                &source, "ISO8601Milliseconds", "milliseconds",
                "Date.ISO8601FormatStyle(includingFractionalSeconds: true)")
        }
        if plan.contains({ $0 == .uuid(isUppercase: false) }) { lowercaseUUID(&source) }
    }

    private func anyJSON(_ source: inout SourceText) {
        let (access, name) = (plan.access, plan.text(.anything))
        source.comment("Any JSON, for values that the samples do not show.")
        source.block("\(access)enum \(name)\(plan.conformances("Codable", isHashable: true))") { source in
            for line in [
                "case null", "case bool(Bool)", "case integer(Int)", "case number(Double)", "case string(String)",
                "case array([\(name)])", "case object([String: \(name)])",
            ] {
                source.line(line)
            }
            source.line()
            source.block("\(access)init(from decoder: any Decoder) throws") { source in
                source.line("let container = try decoder.singleValueContainer()")
                source.line("if container.decodeNil() {")
                source.indented { $0.line("self = .null") }
                for (type, kind) in [
                    ("Bool", "bool"), ("Int", "integer"), ("Double", "number"), ("String", "string"),
                    ("[\(name)]", "array"),
                ] {
                    source.line("} else if let value = try? container.decode(\(type).self) {")
                    source.indented { $0.line("self = .\(kind)(value)") }
                }
                source.line("} else {")
                source.indented { $0.line("self = .object(try container.decode([String: \(name)].self))") }
                source.line("}")
            }
            source.line()
            source.block("\(access)func encode(to encoder: any Encoder) throws") { source in
                source.line("var container = encoder.singleValueContainer()")
                source.line("switch self {")
                source.line("case .null: try container.encodeNil()")
                for kind in ["bool", "integer", "number", "string", "array", "object"] {
                    source.line("case .\(kind)(let value): try container.encode(value)")
                }
                source.line("}")
            }
        }
        source.line()
    }

    private func date(_ source: inout SourceText, _ name: String, _ unit: String, _ style: String) {
        // The style truncates digits, and a date is rarely a whole number of milliseconds. Half a
        // millisecond makes it round.
        let moment = unit == "milliseconds" ? "value.addingTimeInterval(0.0005)" : "value"
        source.comment("An instant in ISO 8601, in UTC, in \(unit).")
        source.block("private struct \(name): Codable") { source in
            source.line("static let style = \(style)")
            source.line("let value: Date")
            source.line()
            source.line("init(_ value: Date) { self.value = value }")
            source.line()
            source.block("init(from decoder: any Decoder) throws") { source in
                source.line("let container = try decoder.singleValueContainer()")
                source.line("let text = try container.decode(String.self)")
                source.line("guard let value = try? Self.style.parse(text) else {")
                source.indented { source in
                    source.line("throw DecodingError.dataCorruptedError(")
                    source.indented { source in
                        source.line("in: container,")
                        let example = unit == "milliseconds" ? "2026-01-31T12:00:00.000Z" : "2026-01-31T12:00:00Z"
                        source.line("debugDescription: \"expected a date such as \(example), found \\(text)\"")
                    }
                    source.line(")")
                }
                source.line("}")
                source.line("self.value = value")
            }
            source.line()
            source.block("func encode(to encoder: any Encoder) throws") { source in
                source.line("var container = encoder.singleValueContainer()")
                source.line("try container.encode(Self.style.format(\(moment)))")
            }
        }
        source.line()
    }

    private func lowercaseUUID(_ source: inout SourceText) {
        source.comment("A UUID in lowercase, as in the samples.")
        source.block("private struct LowercaseUUID: Codable") { source in
            source.line("let value: UUID")
            source.line()
            source.line("init(_ value: UUID) { self.value = value }")
            source.line()
            source.block("init(from decoder: any Decoder) throws") { source in
                source.line("value = try decoder.singleValueContainer().decode(UUID.self)")
            }
            source.line()
            source.block("func encode(to encoder: any Encoder) throws") { source in
                source.line("var container = encoder.singleValueContainer()")
                source.line("try container.encode(value.uuidString.lowercased())")
            }
        }
        source.line()
    }
}
