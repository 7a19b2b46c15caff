public import WharfCore

/// A challenge of `WWW-Authenticate` (RFC 9110 §11.6.1): an accepted scheme.
///
/// ```swift
/// let digest = refusal.challenges.first { $0.scheme == "digest" && $0.parameters["algorithm"] == "SHA-256" }
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme in lower case, because it is case-insensitive: `basic`, `bearer`, `digest`.
    public let scheme: String
    /// The `token68` in place of parameters (RFC 9110 §11.2), as with `Negotiate`.
    public let token: String?
    /// The unquoted values by their names, which are in lower case.
    public let parameters: [String: String]

    /// The protection space: the part of the server that the challenge is about.
    public var realm: String? { parameters["realm"] }

    package init(scheme: String, token: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme
        self.token = token
        self.parameters = parameters
    }
}

extension HTTPResponse {
    /// The challenges of all `WWW-Authenticate` fields, in the server's order.
    ///
    /// The rest of a field after a syntax error is ignored. If a parameter occurs twice, the first
    /// one counts.
    public var authenticationChallenges: [AuthenticationChallenge] {
        headerFields[values: .wwwAuthenticate].flatMap { field in
            var parser = ChallengeParser(field)
            return parser.challenges()
        }
    }
}

extension AuthenticationChallenge: CustomStringConvertible {
    /// The challenge as a field value, with the parameters sorted by name.
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
