// Article "Your first repository": the payload of the service, the model of the app, and the reads.
// snippet.hide
#if TestServer
import Foundation
import WharfTestServer
// snippet.show
// snippet.model
import Wharf

/// The payload of the service.
struct UserPayload: Decodable, Sendable {
    struct Address: Decodable, Sendable { let city: String }

    let id: Int
    let name: String
    let address: Address
}

/// The model of the app.
struct User: Identifiable, Sendable {
    let id: Int
    let name: String
    let city: String

    init(_ payload: UserPayload) {
        id = payload.id
        name = payload.name
        city = payload.address.city
    }
}
// snippet.end

// snippet.hide
// The folder where `WharfStack.live` keeps responses. It is not in the user's home folder.
let folder =
    FileManager.default.temporaryDirectory.path + "/YourFirstRepository.\(ProcessInfo.processInfo.processIdentifier)"
setenv("XDG_CACHE_HOME", folder, 1)

let server = try await TestServer.start()
server.route(.get, "/users/1", .json(#"{"id": 1, "name": "Leanne Graham", "address": {"city": "Gwenborough"}}"#))
server.route(
    .get, "/users",
    .json(
        """
        [{"id": 1, "name": "Leanne Graham", "address": {"city": "Gwenborough"}},
         {"id": 2, "name": "Ervin Howell", "address": {"city": "Wisokyburgh"}}]
        """))
let baseURL = server.baseURL

var screen = ""

@MainActor func show(_ user: User?, _ asOf: WallTime?, _ error: ReadFailure?) {
    screen = "\(user?.name ?? "nobody"), \(asOf == nil ? "never seen" : "seen"), error: \(error?.code.name ?? "none")"
}
// snippet.show
// snippet.reads
let stack = try await WharfStack.live(baseURL: baseURL)  // "https://api.example.com"
let users = stack.repository(at: "users", payload: UserPayload.self) { User($0) }

let user = try await users.get(id: 1)  // the value or a ReadFailure

for await snapshot in users.observe(id: 1) {
    let value = snapshot.value  // the last good value, if there ever was one
    let asOf = snapshot.kept?.asOf  // when the service last sent or confirmed it
    let error = snapshot.error  // why the refresh failed, beside the value
    show(value, asOf, error)
    if snapshot.fetch == .idle { break }  // without this line the loop goes on until you leave it
}
// snippet.end
// snippet.hide
print(user.name, "of", user.city)
print(screen)
// snippet.show

// snippet.lists
for user in try await users.list() { print(user.id, user.name) }
// snippet.end

// snippet.failures
// The service answers 404. That is its present state, so no kept value masks it.
do {
    _ = try await users.get(id: 3)
} catch {
    print(error.code, error.response?.status.code ?? 0)
}

// The service is down: the last good value, and the reason why there is no newer one.
await server.stop()
let snapshot = await users.snapshot(id: 1)
print(snapshot.value?.name ?? "nobody", "from", snapshot.kept?.source ?? "nowhere")
print(snapshot.error?.code ?? "no error")
// snippet.end
// snippet.hide
await stack.close()
try FileManager.default.removeItem(atPath: folder)
#endif
// snippet.show

// snippet.output
// Output:
// Leanne Graham of Gwenborough
// Leanne Graham, seen, error: none
// 1 Leanne Graham
// 2 Ervin Howell
// status 404
// Leanne Graham from httpCache
// connectionFailed
