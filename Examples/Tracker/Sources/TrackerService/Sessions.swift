import Foundation
import Wharf
import WharfTestServer

/// The tokens that the service has issued.
struct Sessions {
    var access: Set<String> = []
    var renewals = 0
    private var refresh: [String: String] = [:]

    func admits(_ request: TestRequest) -> Bool { access.contains(request.fields[.authorization] ?? "") }

    /// Issues tokens for the password "secret", or for a refresh token, which is valid once.
    mutating func open(_ request: TestRequest) -> TestResponse {
        let form = request.decoded(as: [String: String].self) ?? [:]
        let renewed = refresh.removeValue(forKey: form["refresh"] ?? "")
        guard let user = renewed ?? (form["password"] == "secret" ? form["user"] : nil) else { return .status(400) }
        if renewed != nil { renewals += 1 }
        let (new, next) = (UUID().uuidString, UUID().uuidString)
        access.insert("Bearer \(new)")
        refresh[next] = user
        return .encoding(["user": user, "access": new, "refresh": next])
    }
}
