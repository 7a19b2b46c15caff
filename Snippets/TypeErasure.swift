// Article A, "Type erasure": a type that holds a repository without knowing which one.
import Wharf

struct User: Identifiable, Sendable {
    let id: Int
    let name: String
}

struct Greeter {
    let any: any ReadableRepository<User>  // an existential, for most places
    let erased: AnyReadableRepository<User>  // a concrete type, where a generic parameter wants one

    func greet(_ id: Int) async throws -> [String] {
        [try await any.get(id: id).name, try await erased.get(id: id).name]
    }
}

let live = RemoteRepository<User>(source: RemoteSource(get: { id in User(id: id, name: "user \(id)") }))
let greeter = Greeter(any: live, erased: AnyReadableRepository(live))
print(try await greeter.greet(7).joined(separator: " and "))

// Output:
// user 7 and user 7
