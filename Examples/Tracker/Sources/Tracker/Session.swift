public import Wharf

/// The signed-in user: the tokens in a file, which are sent with each request and renewed by the
/// service.
public struct Session: CredentialsProvider {
    let tokens: SessionStore<Tokens>
    let service: APIClient  // without credentials

    public init(_ baseURL: String, folder: String) async throws {
        tokens = SessionStore(try await FileKeyValueStore.open(at: folder + "/session"), key: .session)
        service = APIClient(environment: try APIEnvironment(baseURL), transport: PlatformTransport())
    }

    var account: Account? {
        get async throws { try await tokens.current.map { Account($0.user) } }
    }

    public func signIn(_ user: String, password: String) async throws {
        let answer: Tokens = try await service.fetch(.post("session", json: ["user": user, "password": password])).value
        try await tokens.signIn(answer)
    }

    public func credential() async throws -> Credential? {
        try await tokens.current.map { try .bearer($0.access) }
    }

    public func refresh(_ rejected: Credential) async throws -> Credential {
        guard let session = try await tokens.current else { throw CredentialRejection(message: "signed out") }
        do {
            let renewed: Tokens = try await service.fetch(.post("session", json: ["refresh": session.refresh])).value
            try await tokens.signIn(renewed)
            return try .bearer(renewed.access)
        } catch let error as ReadFailure where error.response?.status == .badRequest {
            throw CredentialRejection(message: "the session is over", cause: error)
        }
    }
}

struct Tokens: Codable, Sendable {
    let user: String
    let access: String
    let refresh: String
}

extension StoredKey<Tokens> {
    static var session: Self { StoredKey("session", .json) }
}
