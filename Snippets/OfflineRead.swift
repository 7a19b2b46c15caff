// Article A, "Offline caching": the kept value and the error of the refresh, together.
import Wharf

struct User: Identifiable, Sendable {
    let id: Int
    let name: String
}

struct Unreachable: Error, CustomStringConvertible {
    let description = "the service is gone"
}

// A service that answers once. With HTTP it is `stack.repository(at: "users", payload: …)`.
actor Service {
    private var alive = true

    func user(_ id: Int) throws -> User {
        guard alive else { throw Unreachable() }
        alive = false
        return User(id: id, name: "Leanne Graham")
    }
}

let service = Service()
let users = Repository<User>(source: RemoteSource(get: { id in try await service.user(id) }))

for _ in 1...2 {
    let snapshot = await users.snapshot(id: 1)
    let source = snapshot.kept?.source.description ?? "nowhere"
    print("\(snapshot.value?.name ?? "nobody") from \(source), error: \(snapshot.error?.message ?? "none")")
}

// Output:
// Leanne Graham from network, error: none
// Leanne Graham from memory, error: the source threw: the service is gone
