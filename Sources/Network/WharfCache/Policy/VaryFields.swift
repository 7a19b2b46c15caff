package import WharfCore
internal import WharfPrimitives

/// The request fields that selected a response (RFC 9111 §4.1).
package enum VaryFields: Sendable, Hashable {
    case none
    case names([HTTPField.Name])
    /// A `*` in any place: no request matches.
    case any

    package init(_ fields: HTTPFields) {
        var names: [HTTPField.Name] = []
        for field in fields where field.name == .vary {
            for member in FieldList.members(field.value) {
                // An invalid name can't be compared, so no request may match.
                guard member != "*", let name = HTTPField.Name(String(member)) else {
                    self = .any
                    return
                }
                if !names.contains(name) { names.append(name) }
            }
        }
        self = names.isEmpty ? .none : .names(names)
    }

    /// Returns the values of these fields in a request, for ``StoredHead/varying``. Credentials are
    /// omitted, because they would be stored on disk.
    package func values(in request: HTTPFields) -> HTTPFields {
        guard case .names(let names) = self else { return [:] }
        var values = HTTPFields()
        for name in names where !Self.isCredential(name) {
            if let value = request[name] { values.append(HTTPField(name: name, value: Self.normal(value))) }
        }
        return values
    }

    /// Returns whether a field is a credential. The length rules out most names without a
    /// comparison of text.
    private static func isCredential(_ name: HTTPField.Name) -> Bool {
        switch name.canonicalName.utf8.count {
        case 6: name == .cookie
        case 13: name == .authorization
        case 19: name == .proxyAuthorization
        default: false
        }
    }

    /// Returns whether the response depends on a credential of the request that its key does not
    /// represent. An account represents `Authorization`: renewed credentials still name the same
    /// user. A cookie may carry any other state.
    package func namesCredentials(of request: HTTPFields, account: Account?) -> Bool {
        guard case .names(let names) = self else { return false }
        return names.contains { name in
            Self.isCredential(name) && request.contains(name) && (account == nil || name == .cookie)
        }
    }

    /// Returns whether a response with the stored fields `stored` may answer a request with these
    /// fields.
    package func match(_ stored: HTTPFields, _ request: HTTPFields, account: Account? = nil) -> Bool {
        switch self {
        case .none: true
        case .any: false
        case .names(let names):
            names.allSatisfy { name in
                if Self.isCredential(name) {
                    return account != nil && name != .cookie || !request.contains(name)
                }
                let (kept, asked) = (stored.combined(name), request.combined(name))
                return kept == asked || kept != nil && kept.map(Self.normal) == asked.map(Self.normal)
            }
        }
    }

    /// Normalises a value: white space around list members and line breaks do not count (RFC 9111
    /// §4.1).
    private static func normal(_ value: String) -> String { FieldList.members(value).joined(separator: ", ") }
}

extension HTTPFields {
    /// Returns the combined value of a field (RFC 9110 §5.3), as the subscript does. A single line,
    /// the usual case, is returned unchanged: the join is most of the subscript's cost.
    fileprivate func combined(_ name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            if found != nil { return self[name] }
            found = field.value
        }
        return found
    }
}
