public import WharfCore

/// One way in which a server lets itself be shown who asks: a challenge of `WWW-Authenticate` (RFC
/// 9110 §11.6.1).
///
/// ```swift
/// let digest = refusal.challenges.first { $0.scheme == "digest" && $0.parameters["algorithm"] == "SHA-256" }
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
    /// In lower case, as case means nothing here: `basic`, `bearer`, `digest`.
    public let scheme: String
    /// What stands behind the scheme in place of parameters, as with `Negotiate` (the `token68` of
    /// §11.2).
    public let token: String?
    /// By their names in lower case, without quotes.
    public let parameters: [String: String]

    /// Which part of the server it is about.
    public var realm: String? { parameters["realm"] }

    package init(scheme: String, token: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme
        self.token = token
        self.parameters = parameters
    }
}

extension HTTPResponse {
    /// The challenges of `WWW-Authenticate` in the server's order, from one field or several.
    ///
    /// What breaks the grammar ends its field; the challenges before it count. Where a parameter
    /// comes twice, the first does.
    public var authenticationChallenges: [AuthenticationChallenge] {
        headerFields[values: .wwwAuthenticate].flatMap { field in
            var parser = ChallengeParser(field)
            return parser.challenges()
        }
    }
}

extension AuthenticationChallenge: CustomStringConvertible {
    /// As it would stand in a field, with the parameters by name.
    public var description: String {
        if let token { return "\(scheme) \(token)" }
        let pairs = parameters.sorted { $0.key < $1.key }.map { name, value in
            let escaped = value.unicodeScalars.reduce(into: "") { text, scalar in
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
            return "\(name)=\"\(escaped)\""
        }
        return pairs.isEmpty ? scheme : "\(scheme) \(pairs.joined(separator: ", "))"
    }
}
