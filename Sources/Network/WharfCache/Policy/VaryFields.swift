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
            if let value = request[name] { values.append(HTTPField(name: name, value: Self.normal(value, of: name))) }
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
            // Without the credential in the request, the response is that of anonymous clients.
            Self.isCredential(name) && request.contains(name) && (account == nil || name == .cookie)
        }
    }

    /// Returns whether a response with the stored fields `stored` may answer a request with these
    /// fields.
    ///
    /// - Parameter suitsAnyCoding: whether `Accept-Encoding` may differ, as long as the request
    ///   accepts a body without coding.
    package func match(
        _ stored: HTTPFields, _ request: HTTPFields, account: Account? = nil, suitsAnyCoding: Bool = false
    ) -> Bool {
        switch self {
        case .none: true
        case .any: false
        case .names(let names):
            names.allSatisfy { name in
                if Self.isCredential(name) {
                    // The account stands for `Authorization`. A cookie may differ within an
                    // account, so it matches only if absent.
                    return account != nil && name != .cookie || !request.contains(name)
                }
                let (kept, asked) = (stored.combined(name), request.combined(name))
                // Unchanged values are compared first: normalising parses both.
                return kept == asked
                    || kept != nil && kept.map { Self.normal($0, of: name) } == asked.map { Self.normal($0, of: name) }
                    || suitsAnyCoding && name == .acceptEncoding && Self.acceptsIdentity(asked)
            }
        }
    }

    /// Returns whether a value of `Accept-Encoding` accepts a body without coding.
    ///
    /// Only a weight of zero excludes it: that of `identity`, or else that of `*` (RFC 9110
    /// §12.5.3).
    private static func acceptsIdentity(_ value: String?) -> Bool {
        let weights = weights(value)
        return weights["identity"] ?? weights["*"] ?? true
    }

    /// Returns whether the codings that a value of `Accept-Encoding` names have another weight than
    /// zero. The names are in lower case.
    static func weights(_ value: String?) -> [String: Bool] {
        var weights: [String: Bool] = [:]
        for member in FieldList.members(value ?? "") {
            let parts = FieldList.split(member[...], at: UInt8(ascii: ";")).map { FieldList.trimmed($0).lowercased() }
            guard let coding = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            weights[coding] = weight != 0
        }
        return weights
    }

    /// Normalises a value: white space around list members and line breaks do not count (RFC 9111
    /// §4.1). Case does not count in fields whose members are defined without case.
    ///
    /// The order stays: many origins prefer the first one of several languages of equal weight (RFC
    /// 9110 §12.5.4).
    private static func normal(_ value: String, of name: HTTPField.Name) -> String {
        let value = FieldList.members(value).joined(separator: ", ")
        switch name {
        // Language ranges (RFC 4647 §2), codings (RFC 9110 §8.4.1) and charsets (§8.3.2).
        case .acceptLanguage, .acceptEncoding, acceptCharset: return value.lowercased()
        default: return value
        }
    }

    private static let acceptCharset = HTTPField.Name("Accept-Charset")
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
