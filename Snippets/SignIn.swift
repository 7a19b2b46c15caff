// Article "Sign-in and credentials": tokens that are stored, renewed once for all requests, and
// refused. Changes wait until the user has signed in again.
// snippet.hide
#if TestServer && SQLite
import Foundation
import Synchronization
import WharfTestServer

let folder = FileManager.default.temporaryDirectory.path + "/SignIn.\(ProcessInfo.processInfo.processIdentifier)"
let valid = Mutex((access: "a1", refresh: "r1"))
let renewals = Atomic(0)
let server = try await TestServer.start()
let baseURL = server.baseURL

func tokens() -> TestResponse {
    let tokens = valid.withLock { $0 }
    return .json(#"{"user": "ann", "access": "\#(tokens.access)", "refresh": "\#(tokens.refresh)"}"#)
}

server.route(.post, "/session") { _ in tokens() }
server.route(.post, "/token") { request in
    let body = String(decoding: request.body, as: UTF8.self)
    guard valid.withLock({ body.contains($0.refresh) }) else { return .status(400) }
    renewals.add(1, ordering: .relaxed)
    return tokens()
}
func isSignedIn(_ request: TestRequest) -> Bool {
    request.fields[.authorization] == valid.withLock { "Bearer " + $0.access }
}
server.route(.get, "/notes/:id") { request in
    guard isSignedIn(request) else { return .status(401) }
    return .json(#"{"id": \#(request.parameters["id"] ?? "0"), "text": "milk"}"#).etag("\"1\"")
}
server.route(.put, "/notes/:id") { request in
    isSignedIn(request) ? .json(String(decoding: request.body, as: UTF8.self)) : .status(401)
}
// snippet.show
// snippet.session
import Wharf

struct Tokens: Codable, Sendable {
    let user: String
    let access: String
    let refresh: String
}

extension StoredKey<Tokens> {
    static var session: Self { StoredKey("session", .json) }
}

// In an app: KeychainKeyValueStore(service: "com.example.notes")
let sessions = SessionStore(MemoryKeyValueStore(), key: .session)
// snippet.end

// snippet.provider
/// Sends the access token of the session, and renews it.
struct SessionCredentials: CredentialsProvider {
    let sessions: SessionStore<Tokens>
    let service: APIClient  // without credentials

    func credential() async throws -> Credential? {
        try await sessions.current.map { try .bearer($0.access) }
    }

    func refresh(_ rejected: Credential) async throws -> Credential {
        guard let session = try await sessions.current else {
            throw CredentialRejection(message: "no session to renew")
        }
        do {
            let renewed: Tokens = try await service.fetch(.post("token", json: ["refresh": session.refresh])).value
            try await sessions.signIn(renewed)
            return try .bearer(renewed.access)
        } catch let error as ReadFailure where error.response?.status == .badRequest {
            throw CredentialRejection(message: "the refresh token is not valid any more", cause: error)
        }
    }
}
// snippet.end

// snippet.signIn
let service = APIClient(environment: try APIEnvironment(baseURL), transport: PlatformTransport())

func signIn(_ user: String, _ password: String) async throws -> Tokens {
    let tokens: Tokens = try await service.fetch(.post("session", json: ["user": user, "password": password])).value
    try await sessions.signIn(tokens)
    return tokens
}
// snippet.end

// snippet.stack
let session = try await signIn("ann", "secret")
var configuration = WharfStack.Configuration(baseURL: baseURL, account: Account(session.user))
configuration.credentials = SessionCredentials(sessions: sessions, service: service)
configuration.data = .applicationSupport()
// snippet.hide
configuration.cache = .file(folder + "/cache.sqlite")
configuration.data = .file(folder + "/data.sqlite")
struct Note: Identifiable, Codable, Sendable {
    let id: Int
    var text: String
}
extension EntityKind<Note> {
    static let notes = EntityKind("note", codec: .json)
}
// snippet.show
let stack = try await WharfStack.live(configuration)
let notes = stack.repository(.notes, at: "notes")
// snippet.end

// snippet.hide
valid.withLock { $0.access = "a2" }  // the access token has expired
// snippet.show
// snippet.renewed
async let one = notes.get(id: 1)
async let two = notes.get(id: 2)
print("both read:", try await [one, two].map(\.id))
// snippet.end
// snippet.hide
print("renewals:", renewals.load(ordering: .relaxed))
valid.withLock { $0 = ("a3", "r3") }  // the session was ended at the service
// snippet.show

// snippet.ended
let receipt = try await notes.edit(1) { $0.text += ", bread" }  // waits: the service refuses the session
let failed = await notes.snapshot(id: 1, policy: .networkOnly)
if failed.error?.response?.status == .unauthorized {
    print("the session is over: show the sign-in")
}

_ = try await signIn("ann", "secret")
stack.outbox?.credentialChanged()  // deliver the waiting changes
print("arrived:", await receipt.delivery().isDelivered)
// snippet.end
// snippet.hide
extension WriteOutcome {
    var isDelivered: Bool { if case .delivered = self { true } else { false } }
}
try await stack.signOut(.purge)
try await sessions.signOut()
await server.stop()
try FileManager.default.removeItem(atPath: folder)
#endif
// snippet.show

// snippet.output
// Output:
// both read: [1, 2]
// renewals: 1
// the session is over: show the sign-in
// arrived: true
