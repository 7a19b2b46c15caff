/// The syntax of fields, written from the RFCs and apart from the parsers that the policy uses.
enum ModelFields {
    /// RFC 9110 §5.1: field names are case-insensitive.
    static func values(_ name: String, _ fields: [ModelExchange.Field]) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// RFC 9110 §5.6.1: a list has members between commas. Empty members do not count. §5.6.4: a
    /// comma in a quoted string is part of it, and `\` quotes the next octet.
    ///
    /// The RFC does not say how to read a string that has no end. The policy's choice is the
    /// strictest: from the member with that string on, each comma separates, so no member is
    /// hidden.
    static func members(_ value: String) -> [String] {
        var members: [String] = []
        var rest = Array(value)
        while let end = end(ofFirstMemberOf: rest) {
            members.append(String(rest[..<end]))
            guard end < rest.count else { break }
            rest.removeFirst(end + 1)
        }
        if end(ofFirstMemberOf: rest) == nil {
            members += rest.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        }
        return members.map(trimmed).filter { !$0.isEmpty }
    }

    /// The place of the comma after the first member, or of the end; nil if a string has no end.
    private static func end(ofFirstMemberOf text: [Character]) -> Int? {
        var index = 0
        var isInString = false
        while index < text.count {
            if isInString, text[index] == "\\" {
                index += 1
            } else if text[index] == "\"" {
                isInString.toggle()
            } else if text[index] == ",", !isInString {
                return index
            }
            index += 1
        }
        return isInString ? nil : text.count
    }

    /// RFC 9110 §5.6.3: OWS is spaces and tabs.
    static func trimmed(_ text: String) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// RFC 9111 §1.2.2: `delta-seconds = 1*DIGIT`. A larger number than a cache can represent
    /// counts as 2^31.
    static func deltaSeconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.allSatisfy({ "0123456789".contains($0) }) else { return nil }
        return min(Int64(text) ?? .max, 2_147_483_648)
    }
}

/// The directives of `Cache-Control` (RFC 9111 §5.2).
struct ModelDirectives {
    /// The arguments of each directive, in the order of the field; nil for one without `=`.
    private var found: [(name: String, argument: String?)] = []

    init(_ values: [String]) {
        for member in values.flatMap(ModelFields.members) {
            // `cache-directive = token [ "=" ( token / quoted-string ) ]`. Names are
            // case-insensitive. White space around `=` is no part of the grammar, and is tolerated.
            guard let equals = member.firstIndex(of: "=") else {
                found.append((member.lowercased(), nil))
                continue
            }
            let name = ModelFields.trimmed(String(member[..<equals])).lowercased()
            found.append((name, ModelFields.trimmed(String(member[member.index(after: equals)...]))))
        }
    }

    func has(_ name: String) -> Bool { found.contains { $0.name == name } }

    /// §5.2: a recipient ought to accept both forms of an argument. A quoted string that has no
    /// end, or text after it, is malformed.
    private func plain(_ argument: String?) -> String? {
        guard let argument else { return nil }
        guard argument.hasPrefix("\"") else { return argument }
        guard argument.count >= 2, argument.hasSuffix("\"") else { return nil }
        let inner = argument.dropFirst().dropLast()
        return inner.contains("\"") || inner.contains("\\") ? nil : String(inner)
    }

    /// §4.2.1: with several values "either the first occurrence should be used or the response
    /// should be considered stale", and "the most restrictive directive should be honored". The
    /// policy's choice, the smallest value, is never less strict than the first. A value that is no
    /// integer means stale.
    func seconds(_ name: String) -> Int64? {
        found.filter { $0.name == name }
            .map { plain($0.argument).flatMap(ModelFields.deltaSeconds) ?? 0 }.min()
    }

    /// §5.2.1.2: without an argument the client accepts any age.
    var maxStale: Int64? {
        found.filter { $0.name == "max-stale" }
            .map { $0.argument == nil ? 1 << 31 : plain($0.argument).flatMap(ModelFields.deltaSeconds) ?? 0 }.min()
    }

    /// §5.2.1.3: the largest value is the most restrictive one, and an invalid one more than that.
    var minFresh: Int64? {
        found.filter { $0.name == "min-fresh" }
            .map { plain($0.argument).flatMap(ModelFields.deltaSeconds) ?? 1 << 31 }.max()
    }

    /// §5.2.2.4, §5.2.2.7: with names of fields the directive concerns those fields alone. Without
    /// a valid name it concerns the response.
    func concernsTheResponse(_ name: String) -> Bool {
        found.contains { found in
            guard found.name == name else { return false }
            let names = plain(found.argument).map(ModelFields.members) ?? []
            return names.isEmpty || !names.allSatisfy { $0.allSatisfy { $0.isLetter || $0 == "-" } }
        }
    }
}
