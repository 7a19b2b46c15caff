package import WharfCore
internal import WharfPrimitives

/// The request fields that selected a response (RFC 9111 §4.1).
package enum VaryFields: Sendable, Hashable {
    case none
    case names([HTTPField.Name])
    /// `*` in any place: nothing matches.
    case any

    package init(_ fields: HTTPFields) {
        var names: [HTTPField.Name] = []
        for field in fields where field.name == .vary {
            for member in FieldList.members(field.value) {
                // A member that is no name can't be compared, so nothing may be taken for a match.
                guard member != "*", let name = HTTPField.Name(String(member)) else {
                    self = .any
                    return
                }
                if !names.contains(name) { names.append(name) }
            }
        }
        self = names.isEmpty ? .none : .names(names)
    }

    /// The values of these fields in a request: what ``StoredHead/varying`` keeps. Never a
    /// credential, which would lie on disk.
    package func values(in request: HTTPFields) -> HTTPFields {
        guard case .names(let names) = self else { return [:] }
        var values = HTTPFields()
        for name in names where !Self.isCredential(name) {
            if let value = request[name] { values.append(HTTPField(name: name, value: Self.normal(value))) }
        }
        return values
    }

    /// The length tells most names apart without comparing or hashing any text.
    private static func isCredential(_ name: HTTPField.Name) -> Bool {
        switch name.canonicalName.utf8.count {
        case 6: name == .cookie
        case 13: name == .authorization
        case 19: name == .proxyAuthorization
        default: false
        }
    }

    /// Whether the response depends on a credential of this request that nothing in its key stands
    /// for. An account stands for `Authorization`, since its credentials are renewed and still name
    /// the same person; a cookie may say anything.
    package func namesCredentials(of request: HTTPFields, account: Account?) -> Bool {
        guard case .names(let names) = self else { return false }
        return names.contains { name in
            Self.isCredential(name) && request.contains(name) && (account == nil || name == .cookie)
        }
    }

    /// Whether a response that was stored for `stored` may answer a request with these fields.
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

    /// White space around list members and the number of lines do not count (RFC 9111 §4.1).
    private static func normal(_ value: String) -> String { FieldList.members(value).joined(separator: ", ") }
}

extension HTTPFields {
    /// The combined value of a field (RFC 9110 §5.3), as the subscript gives it. One line, which is
    /// the usual case, is taken as it is: joining it with nothing is most of what the subscript
    /// costs.
    fileprivate func combined(_ name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            if found != nil { return self[name] }
            found = field.value
        }
        return found
    }
}
