// Article "Swap the service": two services of different layout behind one model, and the second as
// the fallback.
// snippet.hide
import Synchronization
// snippet.show
// snippet.model
import Wharf
import WharfChecks
import WharfCoreLaws
import WharfFakes

struct User: Identifiable, Equatable, Sendable {
    let id: Int
    let name: String
    let city: String
}
// snippet.end

// snippet.sources
/// A service with paths and flat objects: `users/1`.
struct Placeholder: Decodable, Sendable {
    struct Address: Decodable, Sendable { let city: String }

    let id: Int
    let name: String
    let address: Address

    static func users(_ client: APIClient) -> RemoteSource<User> {
        .http(client, at: "users", payload: Placeholder.self) { user in
            User(id: user.id, name: user.name, city: user.address.city)
        }
    }
}

/// Another service: all users at one path, in an envelope, with the name in two parts.
struct RandomUsers: Decodable, Sendable {
    struct Name: Decodable, Sendable { let first, last: String }
    struct Location: Decodable, Sendable { let city: String }
    struct Entry: Decodable, Sendable {
        let name: Name
        let location: Location
    }

    let results: [Entry]

    static func users(_ client: APIClient) -> RemoteSource<User> {
        .http(
            client,
            get: { id in
                Request<RandomUsers>.get("api/", query: ["seed": "\(id)"]).map { answer in
                    guard let entry = answer.results.first else { throw NobodyThere() }
                    return User(id: id, name: "\(entry.name.first) \(entry.name.last)", city: entry.location.city)
                }
            })
    }
}

struct NobodyThere: Error {}
// snippet.end

// snippet.hide
/// Answers for both services. The first can be stopped; the second always works.
let isAlive = Mutex(true)
let network = StubTransport { request in
    switch request.head.path {
    case "/users/1":
        isAlive.withLock { $0 }
            ? .ok(#"{"id": 1, "name": "Leanne Graham", "address": {"city": "Gwenborough"}}"#)
            : .failure(.connectionFailed)
    case "/api/?seed=1":
        .ok(#"{"results": [{"name": {"first": "Leanne", "last": "Graham"}, "location": {"city": "Gwenborough"}}]}"#)
    default: .respond(.notFound)
    }
}
let client = APIClient(environment: try APIEnvironment("https://one.example.com"), transport: network)
let otherClient = APIClient(environment: try APIEnvironment("https://two.example.com"), transport: network)
// snippet.show
// snippet.swap
/// The app's code. It depends on its own model and on no service.
func greet(_ users: any ReadableRepository<User>) async throws {
    let user = try await users.get(id: 1)
    print("\(user.name), \(user.city)")
}

try await greet(Repository(source: Placeholder.users(client)))
try await greet(Repository(source: RandomUsers.users(otherClient)))  // the line that swaps them
// snippet.end

// snippet.fallback
let users = Repository(
    source: .first(of: [
        ("placeholder", Placeholder.users(client)),
        ("random", RandomUsers.users(otherClient)),
    ]))
print(await users.snapshot(id: 1).kept?.remote ?? "nobody")

isAlive.withLock { $0 = false }
let snapshot = await users.snapshot(id: 1)
print(snapshot.kept?.remote ?? "nobody", "and the error is", snapshot.error?.code.name ?? "none")
// snippet.end

// snippet.contract
// The app's requirements of any user service, tested with both.
let contract = [
    Law<RemoteSource<User>>("a user has the id that was asked for, a name and a city") { source in
        let user = try require(await source.get(1, .reload).value, "there is no user")
        try require(user.id == 1 && !user.name.isEmpty && !user.city.isEmpty, "it is \(user)")
    },
    Law("who is not there is an answer, and no failure") { source in
        let error = await source.get(404, .reload).error
        try require(error?.isAnswer == true, "the error is \(String(describing: error))")
    },
]
isAlive.withLock { $0 = true }
for (name, source) in [("placeholder", Placeholder.users(client)), ("random", RandomUsers.users(otherClient))] {
    for law in contract { try await law.check(source) }
    print(name, "keeps", contract.count, "laws")
}

// Wharf's laws of the policies, tested with a repository that has a fallback. In a test run all
// laws.
let dead = ScriptedSource<RepositoryLaws.Model>(
    .failure(ReadFailure(.connectionFailed, message: "scripted: nobody listens")), clock: SystemWallClock())
let fallback = RepositoryLaws.Subject("a fallback") { source, clock in
    Repository(source: .first(of: [("first", source), ("second", dead.source)]), configuration: .init(clock: clock))
}
for law in RepositoryLaws.all where law.name.contains("does what the table says") { try await law.check(fallback) }
print("a fallback keeps the laws of the policies")
// snippet.end

// snippet.output
// Output:
// Leanne Graham, Gwenborough
// Leanne Graham, Gwenborough
// placeholder
// random and the error is none
// placeholder keeps 2 laws
// random keeps 2 laws
// a fallback keeps the laws of the policies
