internal import WharfCore

extension HTTPResponse {
    /// The target of the first link to the next page (RFC 8288 §3). A link with an `anchor` is
    /// skipped: it is about another resource.
    var nextLink: String? {
        for value in headerFields.filter({ $0.name.canonicalName == "link" }).map(\.value) {
            var field = LinkField(value)
            while let link = field.next() {
                // RFC 8288 §3.3: `rel` is a list of relations, and the first `rel` of a link
                // counts.
                let relations = link.parameters.first { $0.name == "rel" }?.value.split(separator: " ") ?? []
                let isAnchored = link.parameters.contains { $0.name == "anchor" }
                if !isAnchored, relations.contains(where: { $0.lowercased() == "next" }) { return link.target }
            }
        }
        return nil
    }
}

/// A parser for the links of one field: `<target>; name=value; name="quoted", <target>`.
private struct LinkField {
    struct Link {
        let target: String
        /// Parameters, with their names in lower case.
        var parameters: [(name: String, value: String)] = []
    }

    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    /// Returns the next link; nil at the end, or before text that is no link.
    mutating func next() -> Link? {
        skip { $0 == " " || $0 == "\t" || $0 == "," }
        guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return nil }
        var link = Link(target: String(rest[rest.index(after: rest.startIndex)..<end]))
        rest = rest[rest.index(after: end)...]
        while true {
            skipSpace()
            guard rest.first == ";" else { return link }
            rest = rest.dropFirst()
            skipSpace()
            let name = take { $0 != "=" && $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }
            skipSpace()
            // A parameter without a value is allowed (RFC 8288 §3).
            guard rest.first == "=" else {
                link.parameters.append((name.lowercased(), ""))
                continue
            }
            rest = rest.dropFirst()
            skipSpace()
            let value = rest.first == "\"" ? quoted() : take { $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }
            link.parameters.append((name.lowercased(), value))
        }
    }

    private mutating func quoted() -> String {
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(character)
            }
        }
        return value
    }

    private mutating func skipSpace() { skip { $0 == " " || $0 == "\t" } }

    private mutating func skip(_ isSkipped: (Character) -> Bool) { rest = rest.drop(while: isSkipped) }

    private mutating func take(_ isTaken: (Character) -> Bool) -> String {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return String(taken)
    }
}
