// Article "From completion handlers to async": an old function as the source, and each form of a
// read.
// snippet.hide
#if OpenCombine || canImport(Combine)
import Synchronization
import WharfFakes
// snippet.show
// snippet.old
import Wharf
import WharfCache
import WharfCombine

struct User: Identifiable, Decodable, Sendable {
    let id: Int
    let name: String
}

/// The app's old function: it calls back with a user or with an error.
func loadUser(_ id: Int, completion: @escaping @Sendable (Result<User, any Error>) -> Void) {
    // snippet.hide
    let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
    }
    completion(isFirst ? .success(User(id: id, name: "Leanne Graham")) : .failure(Unreachable()))
    // snippet.show
}
// snippet.end
// snippet.hide
let calls = Mutex(0)

struct Unreachable: Error, CustomStringConvertible {
    let description = "the service is gone"
}
// snippet.show

// snippet.source
// The one place that wraps the old function.
let users = Repository(
    source: RemoteSource<User>(get: { id in
        try await withCheckedThrowingContinuation { continuation in
            loadUser(id) { continuation.resume(with: $0) }
        }
    }))
// snippet.end

// snippet.hide
func line<Model>(_ snapshot: Snapshot<Model>, _ name: (Model) -> String) -> String {
    "\(snapshot.value.map(name) ?? "nobody"), error: \(snapshot.error?.code.name ?? "none")"
}

@MainActor func show(_ style: String, _ snapshot: Snapshot<User>) {
    print(style.padded, line(snapshot, \.name))
}

extension String {
    var padded: String { self + String(repeating: " ", count: max(0, 12 - count)) }
}
// snippet.show
// snippet.async
let user = try await users.get(id: 1)  // the value, or it throws a ReadFailure
print(user.name)
// From here on the service is down. Each form returns the last good value and the error together.
show("async", await users.snapshot(id: 1))
// snippet.end

// snippet.completion
// The closure is called exactly once, on the actor where it was formed; here the main actor.
await withCheckedContinuation { done in
    users.snapshot(id: 1) { @MainActor snapshot in
        show("completion", snapshot)
        done.resume()
    }
}
// snippet.end

// snippet.sequence
for await snapshot in users.observe(id: 1) where snapshot.fetch == .idle {
    show("sequence", snapshot)
    break
}
// snippet.end

// snippet.publisher
// A publisher of snapshots continues after failures. A publisher of values ends with the first one.
await withCheckedContinuation { done in
    var subscription: AnyCancellable?
    subscription = users.valuePublisher(id: 1).sink { completion in
        if case .failure(let error) = completion { print("publisher    ends with \(error.code)") }
        withExtendedLifetime(subscription) { done.resume() }
    } receiveValue: { user in
        print("publisher    value", user.name)
    }
}
// snippet.end

// snippet.top
/// The old signature, for screens that are not migrated yet.
@MainActor func user(_ id: Int, completion: @escaping @MainActor (User?, (any Error)?) -> Void) {
    users.snapshot(id: id) { @MainActor snapshot in completion(snapshot.value, snapshot.error) }
}

await withCheckedContinuation { done in
    user(1) { user, error in
        print("old form    ", user?.name ?? "nobody", "and", error == nil ? "no error" : "an error")
        done.resume()
    }
}
// snippet.end

// snippet.hide
let transport = StubTransport(
    [.ok(#"{"id": 1, "name": "Leanne Graham"}"#)] + Array(repeating: .failure(.connectionFailed), count: 4))
let client = APIClient(
    environment: try APIEnvironment("https://api.example.com"),
    transport: CachingTransport(transport, store: MemoryCacheStore(), onIncident: { print($0.message) }))
// snippet.show
// snippet.request
// The same forms for a request without a repository. In an app the client is `stack.client`.
let request = Request<User>.get("users/1")
print("request:", try await client.fetch(request).value.name)
show("async", await client.snapshot(request))
await withCheckedContinuation { done in
    client.snapshot(request) { @MainActor snapshot in
        show("completion", snapshot)
        done.resume()
    }
}
for await snapshot in client.observe(request) where snapshot.fetch == .idle { show("sequence", snapshot) }
await withCheckedContinuation { done in
    var subscription: AnyCancellable?
    subscription = TaskPublisher { await client.snapshot(request) }.sink { _ in
        withExtendedLifetime(subscription) { done.resume() }
    } receiveValue: { snapshot in
        show("publisher", snapshot)
    }
}
// snippet.end
// snippet.hide
#endif
// snippet.show

// snippet.output
// Output:
// Leanne Graham
// async        Leanne Graham, error: sourceFailed
// completion   Leanne Graham, error: sourceFailed
// sequence     Leanne Graham, error: sourceFailed
// publisher    value Leanne Graham
// publisher    ends with sourceFailed
// old form     Leanne Graham and an error
// request: Leanne Graham
// async        Leanne Graham, error: connectionFailed
// completion   Leanne Graham, error: connectionFailed
// sequence     Leanne Graham, error: connectionFailed
// publisher    Leanne Graham, error: connectionFailed
