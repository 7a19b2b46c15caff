// Article A, "Type erasure": three ways to hold a repository of an unknown concrete type.
import Wharf

struct User: Identifiable, Codable, Sendable {
    let id: Int
    var name: String
}

struct SomeStruct {
    let any: any ReadWriteRepository<User>  // an existential, for most places
    let erased: AnyRepository<User>  // a concrete type, for a generic parameter
    let readable: AnyReadableRepository<User>  // the same, for reading alone

    func rename(_ id: Int, to name: String) async throws -> [String] {
        let user = try await any.get(id: id)
        var renamed = user
        renamed.name = name
        try await erased.edit(renamed, basedOn: user)
        return [
            try await any.get(id: id, policy: .cacheFirst).name,
            try await readable.get(id: id, policy: .cacheFirst).name,
        ]
    }
}

// In an app `stack.repository(at: "users", …) { … } payloadOf: { … }`.
let source = RemoteSource<User>(get: { id in User(id: id, name: "user \(id)") }).writing { change, _ in
    guard case .edit(let user, _, _) = change else { return Snapshot(kept: nil) }
    return Snapshot(kept: .init(value: user, source: .network, asOf: SystemWallClock().now()))
}
let users = Repository(EntityKind("user", codec: .json), in: MemoryEntityStore(), remote: source)
let some = SomeStruct(any: users, erased: AnyRepository(users), readable: AnyReadableRepository(users))
print(try await some.rename(7, to: "Ann").joined(separator: " and "))

// Output:
// Ann and Ann
