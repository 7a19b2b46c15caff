// The call sites of the design that read, with `import Wharf` alone. ConsumerTests compiles them as
// a user's package and never runs them.
import Wharf

struct UserPayload: Decodable, Sendable {
    let id: Int
    let name: String
}

struct User: Identifiable, Sendable, Equatable {
    let id: Int
    let name: String

    init(_ payload: UserPayload) {
        id = payload.id
        name = payload.name
    }
}

func readThroughFailure() async throws {
    let stack = try await WharfStack.live(baseURL: "https://api.example.com")
    let users = stack.repository(at: "users", payload: UserPayload.self) { User($0) }

    for await snapshot in users.observe(id: 1) {
        let value: User? = snapshot.value
        let status: Int? = snapshot.kept?.response?.status.code
        let source: Source? = snapshot.kept?.source
        let (asOf, staleAt): (WallTime?, WallTime?) = (snapshot.kept?.asOf, snapshot.kept?.staleAt)
        let error: ReadFailure? = snapshot.error
        _ = (value, status, source, asOf, staleAt, error)
    }

    let user: User = try await users.get(id: 1)
    let list: [User] = try await users.list(policy: .cacheFirst)
    users.snapshot(id: 1) { snapshot in _ = (snapshot.value, snapshot.error) }

    let one: UserPayload = try await stack.client.fetch(.get("users/1")).value
    let request: Request<User> = Request<UserPayload>.get("users/\(user.id)", query: ["full": "yes"]).map { User($0) }
    stack.client.snapshot(request) { snapshot in _ = (snapshot.value, snapshot.kept?.response, snapshot.error) }
    for await snapshot in stack.client.observe(request) { _ = snapshot.value }
    let anyOne: any ReadableRepository<User> = users
    let stored = AnyReadableRepository<User>(anyOne)
    _ = (user, list, one, stored)

    await stack.close()
}

@MainActor final class UserScreen {
    private var shown: User?

    /// The completion runs on the actor where it was formed, so no explicit hop is needed.
    func load(from users: any ReadableRepository<User>) -> Cancellation {
        users.snapshot(id: 1) { @MainActor [weak self] snapshot in self?.shown = snapshot.value }
    }
}
