internal import Foundation
public import WharfCore

/// The value of `Authorization` (RFC 9110 §11.6.2).
///
/// It proves the sender's identity. Its description shows only the scheme, so it may be logged.
public struct Credential: Sendable, Hashable {
    /// The field value as it is sent.
    public let authorization: String

    private init(checked authorization: String, _ kind: String) throws(TransportError) {
        // A line break would begin another field (RFC 9110 §5.5).
        guard !authorization.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }), HTTPField.isValidValue(authorization)
        else {
            throw TransportError(
                .invalidRequest,
                message: "a field can't hold \(kind) with a control character or with a space at an end; trim text "
                    + "that was read from a file")
        }
        self.authorization = authorization
    }

    /// Creates a credential of any scheme from the whole field value.
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidRequest`` for text that a field can't hold.
    public init(authorization: String) throws(TransportError) {
        try self.init(checked: authorization, "a value for Authorization")
    }

    /// Returns a bearer token (RFC 6750 §2.1).
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidRequest`` for an empty token, or one that a
    ///   field can't hold.
    public static func bearer(_ token: String) throws(TransportError) -> Credential {
        guard !token.isEmpty else {
            throw TransportError(
                .invalidRequest,
                message: "the bearer token is empty; pass the token that the server issued")
        }
        return try Credential(checked: "Bearer \(token)", "a bearer token")
    }

    /// Returns a user name and password in UTF-8 (RFC 7617).
    ///
    /// Use it only over https: any reader of the request can decode them.
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidRequest`` for a colon in the name, which
    ///   would end it, and for control characters in either (RFC 7617 §2).
    public static func basic(user: String, password: String) throws(TransportError) -> Credential {
        guard !user.utf8.contains(UInt8(ascii: ":")),
            !(user + password).utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
        else {
            throw TransportError(
                .invalidRequest,
                message: "basic authentication allows no colon in the user name, and no control character in it or in "
                    + "the password (RFC 7617 §2)")
        }
        let encoded = Data("\(user):\(password)".utf8).base64EncodedString()
        return try Credential(checked: "Basic \(encoded)", "a user name and a password")
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    public var description: String {
        // A value without a space may be the secret itself.
        authorization.firstIndex(of: " ").map { "\(authorization[..<$0]) ***" } ?? "***"
    }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
