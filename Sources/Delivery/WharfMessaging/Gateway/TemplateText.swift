internal import WharfCore

/// A text with placeholders for the values of a message.
///
/// The placeholders are `{{title}}`, `{{body}}`, `{{address}}`, `{{name}}`, `{{key}}` and those of
/// attributes, such as `{{attributes.link}}`.
///
/// `{{body|entities}}` writes `&`, `<` and `>` as entities, for gateways that read markup.
struct TemplateText {
    private enum Piece {
        case text(String)
        case value(String, withEntities: Bool)
    }

    private let pieces: [Piece]

    var isConstant: Bool { pieces.allSatisfy { if case .text = $0 { true } else { false } } }

    /// Parses a template.
    ///
    /// - Throws: ``MessagingError/Code/invalidTemplate`` for a placeholder that does not end or
    ///   that has no known name.
    init(_ template: String) throws(MessagingError) {
        var pieces: [Piece] = []
        var rest = template.unicodeScalars[...]
        while let start = Self.place(of: "{", in: rest) {
            // Values are never parsed again. A body with `{{key}}` stays text.
            pieces.append(.text(String(rest[..<start])))
            let inside = rest[start...].dropFirst(2)
            guard let end = Self.place(of: "}", in: inside) else {
                throw MessagingError(
                    .invalidTemplate, message: "expected }} after each {{, found the end of the text after the last {{")
            }
            let place = String(inside[..<end])
            let withEntities = place.hasSuffix(Self.entities)
            let name = withEntities ? String(place.dropLast(Self.entities.count)) : place
            guard Self.names.contains(name) || (name.hasPrefix(Self.attributes) && name != Self.attributes) else {
                // If a brace is missing, the name contains text of the template that may be a
                // secret.
                let found = name.utf8.count < 20 && name.allSatisfy(\.isLetter) ? "{{\(name)}}" : "something else"
                throw MessagingError(
                    .invalidTemplate,
                    message:
                        "expected one of \(Self.names.joined(separator: ", ")) or \(Self.attributes)… in a placeholder, found \(found)"
                )
            }
            pieces.append(.value(name, withEntities: withEntities))
            rest = inside[end...].dropFirst(2)
        }
        self.pieces = pieces + [.text(String(rest))]
    }

    private static let names = ["title", "body", "address", "name", "key"]
    private static let attributes = "attributes."
    private static let entities = "|entities"

    /// Returns the index of the first two equal scalars in a row.
    private static func place(
        of scalar: Unicode.Scalar, in text: Substring.UnicodeScalarView
    ) -> String.Index? {
        zip(text.indices, text.indices.dropFirst()).first { text[$0] == scalar && text[$1] == scalar }?.0
    }

    /// Returns the text with the values of a part.
    ///
    /// - Parameter escape: escapes a value for the context of the text.
    /// - Throws: ``MessagingError/Code/invalidValue`` for an attribute that the message lacks, and
    ///   the errors of `escape`.
    func filled(
        by part: MessagePart, escape: (String) throws(MessagingError) -> String
    ) throws(MessagingError) -> String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let constant): text += constant
            case .value(let name, let withEntities):
                let value = try Self.value(name, of: part)
                text += try escape(withEntities ? Self.withEntities(value) : value)
            }
        }
        return text
    }

    private static func withEntities(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    private static func value(_ name: String, of part: MessagePart) throws(MessagingError) -> String {
        switch name {
        case "title": return part.title
        case "body": return part.body
        case "address": return part.address
        case "name": return part.name
        case "key": return part.key.text
        default:
            let name = String(name.dropFirst(attributes.count))
            guard let value = part.attributes[name] else {
                throw MessagingError(
                    .invalidValue,
                    message: "the message lacks the attribute \(name), which the template needs; add it to the message")
            }
            return value
        }
    }
}
