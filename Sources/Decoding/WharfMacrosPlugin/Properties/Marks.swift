#if Macros
import SwiftSyntax

/// The attributes of a property that this macro reads.
struct Marks {
    let field: AttributeSyntax?
    let ignored: AttributeSyntax?

    init(_ attributes: AttributeListSyntax) {
        field = attributes.first(named: "JSONField")
        ignored = attributes.first(named: "JSONIgnored")
    }

    /// Returns the keys that lead to the value; nil if the attribute has none.
    func path(_ problems: inout [Problem]) -> [String]? {
        let arguments = field?.labeled.filter { $0.label == nil } ?? []
        let keys = arguments.compactMap { argument -> String? in
            JSONText.value(of: argument.expression, called: "a key", &problems)
        }
        return keys.isEmpty ? nil : keys
    }

    /// Returns the format, as in `SecondsSince1970` for `as: SecondsSince1970.self`.
    func format(_ problems: inout [Problem]) -> String? {
        guard let argument = field?.argument("as") else { return nil }
        guard let member = argument.as(MemberAccessExprSyntax.self), member.memberName == "self", let base = member.base
        else {
            problems.append(
                Problem("format", "name the format by its type, as in 'SecondsSince1970.self'", at: argument))
            return nil
        }
        return base.trimmedDescription
    }
}

extension MemberAccessExprSyntax {
    fileprivate var memberName: String { declName.baseName.text }
}

/// Checks text in an attribute that is compared with a document: a key, a tag, or a case.
enum JSONText {
    static func value(of expression: ExprSyntax, called what: String, _ problems: inout [Problem]) -> String? {
        guard let text = expression.stringValue else {
            problems.append(
                Problem("literal", "\(what) must be a string literal, because macros see no values", at: expression))
            return nil
        }
        // Such a text stands in a document with an escape, so comparing bytes would never find it.
        guard !text.needsJSONEscape else {
            problems.append(
                Problem(
                    "escape",
                    "\(what) with a quote, a backslash or a control character is not found by comparing bytes; "
                        + "read it by hand",
                    at: expression)
            )
            return nil
        }
        return text
    }
}

/// The rule that derives keys from the names of properties.
enum KeyStyle {
    case asWritten, snakeCase

    init(_ attribute: AttributeSyntax, _ problems: inout [Problem]) {
        self = .asWritten
        guard let argument = attribute.argument("keys") else { return }
        switch argument.memberName {
        case "asWritten": self = .asWritten
        case "snakeCase": self = .snakeCase
        default:
            problems.append(
                Problem(
                    "keyStyle", "write '.asWritten' or '.snakeCase' here, because macros see no values", at: argument))
        }
    }

    func key(for name: String) -> String {
        switch self {
        case .asWritten: name
        case .snakeCase: name.snakeCased
        }
    }
}
#endif
