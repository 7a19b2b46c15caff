#if Macros
import SwiftSyntax

/// One case of an enumeration.
struct EnumCase {
    /// The name as written in the source.
    let name: String
    /// The text in JSON: the name, the raw value, or the text of `@JSONCase`.
    let text: String
    let parameters: [EnumCaseParameterSyntax]
    let isMarkedUnknown: Bool
    let renaming: AttributeSyntax?
    let node: EnumCaseElementSyntax

    var plainName: String { node.name.plainName }
    var payload: TypeSyntax? { parameters.first?.type.trimmed }
}

/// The cases of an enumeration, in the order of their declarations.
struct CaseList {
    private(set) var cases: [EnumCase] = []

    init(of declaration: EnumDeclSyntax, _ problems: inout [Problem]) {
        for member in declaration.memberBlock.members {
            if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                let hasCases = condition.clauses.contains { clause in
                    guard case .decls(let members)? = clause.elements else { return false }
                    return members.contains { $0.decl.is(EnumCaseDeclSyntax.self) }
                }
                if hasCases {
                    problems.append(
                        Problem("condition", "a case inside '#if' can't be read from JSON; move it out", at: condition))
                }
            }
            if let group = member.decl.as(EnumCaseDeclSyntax.self) { add(group, &problems) }
        }
        if cases.isEmpty, problems.isEmpty {
            problems.append(
                Problem("emptyEnum", "an enumeration without cases has no value to read", at: declaration.name))
        }
    }

    private mutating func add(_ group: EnumCaseDeclSyntax, _ problems: inout [Problem]) {
        let renaming = group.attributes.first(named: "JSONCase")
        let unknown = group.attributes.first(named: "JSONUnknown")
        for attribute in [renaming, unknown].compactMap(\.self) where group.elements.count > 1 {
            problems.append(
                Problem(
                    "severalCases", "'@\(attribute.plainName)' applies to one case; declare these cases separately",
                    at: attribute)
            )
        }
        var given: String?
        if group.elements.count == 1, let argument = renaming?.labeled.first?.expression {
            given = JSONText.value(of: argument, called: "the text of a case", &problems)
        }
        for element in group.elements {
            cases.append(
                EnumCase(
                    name: element.name.text,
                    text: given ?? element.rawValue?.value.stringValue ?? element.name.plainName,
                    parameters: element.parameterClause.map { Array($0.parameters) } ?? [],
                    isMarkedUnknown: unknown != nil, renaming: renaming, node: element
                ))
        }
    }

    /// Returns the case for texts that match no other: the marked one, or the one named `unknown`.
    ///
    /// - Parameter isKept: whether a case of that name counts without the mark.
    func unknown(byName isKept: (EnumCase) -> Bool, _ problems: inout [Problem]) -> EnumCase? {
        let marked = cases.filter(\.isMarkedUnknown)
        for second in marked.dropFirst() {
            problems.append(Problem("secondUnknown", "the enumeration has an unknown case already", at: second.node))
        }
        // A mark wins over the name, so a case named `unknown` can still have a text of its own.
        return marked.first ?? cases.first { $0.plainName == "unknown" && isKept($0) }
    }

    func checkTexts(but unknown: EnumCase?, called what: String, _ problems: inout [Problem]) {
        var known: [String: String] = [:]
        for one in cases where one.name != unknown?.name {
            if let other = known[one.text] {
                problems.append(
                    Problem(
                        "duplicateCase", "the \(what) \(one.text.literal) belongs to '\(other)' already", at: one.node))
            }
            known[one.text] = one.name
        }
    }
}
#endif
