internal import WharfCore
internal import WharfPrimitives

extension Redactor {
    mutating func hide(_ secret: some StringProtocol, _ what: String) -> String {
        learn(String(secret))
        note(what)
        return Redaction.marker
    }

    mutating func url(_ url: String) -> String {
        var url = url
        if let start = url.firstRange(of: "://")?.upperBound {
            let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
            if let at = url[start..<end].lastIndex(of: "@") {
                // User and password may occur elsewhere alone.
                for part in url[start..<at].split(separator: ":") { learn(String(part)) }
                url.replaceSubrange(start..<at, with: hide(url[start..<at], "user info of the URL"))
            }
        }
        return queries(in: url, "URL")
    }

    mutating func fields(_ fields: [RecordedField], _ side: String) -> [RecordedField] {
        fields.map { field in
            var copy = field
            copy.value =
                rules.isSecret(field.name)
                ? secretValue(of: field, side) : queries(in: field.value, "\(side)'s field \(field.name)")
            return copy
        }
    }

    private mutating func secretValue(of field: RecordedField, _ side: String) -> String {
        let what = "\(side)'s field \(field.name)"
        switch field.name.lowercased() {
        case "cookie": return field.value.split(separator: ";").map { pair($0, what) }.joined(separator: ";")
        case "set-cookie":
            let parts = field.value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            guard let cookie = parts.first else { return hide(field.value, what) }
            return ([pair(cookie, what)] + parts.dropFirst().map(String.init)).joined(separator: ";")
        default:
            // The scheme of a credential (RFC 9110 §11.4) is not secret.
            guard field.name.lowercased().hasSuffix("authorization"), let space = field.value.firstIndex(of: " ") else {
                return hide(field.value, what)
            }
            return field.value[...space] + hide(field.value[field.value.index(after: space)...], what)
        }
    }

    /// Redacts a cookie: `name=value`.
    private mutating func pair(_ text: Substring, _ what: String) -> String {
        // A cookie without a name: the whole text is its value.
        guard let equals = text.firstIndex(of: "=") else { return hide(text, what) }
        return text[...equals] + hide(text[text.index(after: equals)...], what)
    }

    /// Redacts the secret items of each query in a text.
    mutating func queries(in text: String, _ what: String) -> String {
        guard text.contains(where: { $0 == "?" || $0 == "&" || $0 == "#" }) else { return text }
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(where: { $0 == "?" || $0 == "&" || $0 == "#" }) {
            result += rest[...mark]
            rest = rest[rest.index(after: mark)...]
            // The end of an item: of a query, or of the text, markup or string around it.
            let end = rest.firstIndex { $0.isWhitespace || "&#<>\"',;".contains($0) } ?? rest.endIndex
            result += item(rest[..<end], what)
            rest = rest[end...]
        }
        return result + rest
    }

    /// Redacts an item of a query or a form: `name=value`.
    mutating func item(_ item: Substring, _ what: String) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = PercentDecoding.form(item[..<equals])
        guard rules.isSecret(name) else { return String(item) }
        return item[...equals] + hide(item[item.index(after: equals)...], "\(what): item \(name)")
    }
}
