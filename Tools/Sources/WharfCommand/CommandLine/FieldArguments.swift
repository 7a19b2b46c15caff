import Wharf

/// The parsed `-H` options: fields to send, and names of fields not to send.
struct FieldArguments: Equatable {
    private(set) var fields = HTTPFields()
    private var removed: Set<HTTPField.Name> = []

    /// - Parameter arguments: `Name: value` sets a field, `Name:` drops a field that wharf sends by
    ///   itself, and `Name;` sends it empty.
    /// - Throws: ``UsageError``, without the field's value in the message, as it may be a secret.
    init(_ arguments: [String]) throws(UsageError) {
        for argument in arguments { try read(argument) }
    }

    private mutating func read(_ argument: String) throws(UsageError) {
        guard let end = argument.firstIndex(of: ":") else {
            if argument.hasSuffix(";") {
                fields.append(HTTPField(name: try Self.name(argument.dropLast()), value: ""))
                return
            }
            let found = argument.prefix { !$0.isWhitespace }
            throw UsageError(
                "-H: expected 'Name: value', found no colon in '\(found)\(found.count < argument.count ? " …" : "")'; "
                    + "quote the whole field, as in -H 'Accept: application/json'")
        }
        let name = try Self.name(argument[..<end])
        let value = argument[argument.index(after: end)...].trimmed
        if value.isEmpty {
            removed.insert(name)
            return
        }
        guard HTTPField.isValidValue(value) else {
            throw UsageError(
                "-H: expected a value in one line of printable characters, found others in that of '\(name)'; "
                    + "encode it first")
        }
        fields.append(HTTPField(name: name, value: value))
    }

    /// Sets a field that the command line neither sets nor drops.
    mutating func setDefault(_ name: HTTPField.Name, _ value: String) {
        guard fields[values: name].isEmpty, !removed.contains(name) else { return }
        fields[name] = value
    }

    /// Whether the request has credentials, so that the answer may be for one person only.
    var hasCredentials: Bool { fields.contains { $0.name == .authorization || $0.name == .cookie } }

    private static func name(_ text: Substring) throws(UsageError) -> HTTPField.Name {
        guard let name = HTTPField.Name(String(text)) else {
            let found = text.prefix { !$0.isWhitespace }
            throw UsageError(
                "-H: expected a field name of letters, digits and hyphens before the colon, found '\(found)"
                    + "\(found.count < text.count ? " …" : "")'; write it as 'Name: value'")
        }
        return name
    }
}

extension Substring {
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        guard let last = lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return String(self[first...last])
    }
}
