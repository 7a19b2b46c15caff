// Article B, "Looser dependencies", with a macro for the boilerplate, and the type eraser of
// article A (trait Macros).
// snippet.hide
#if Macros
// snippet.show
import WharfDependencies
import WharfMacros

// snippet.interface
struct Profile: Sendable {
    let name: String
}

final class ProfileService: Sendable {
    func readProfile(ofUser user: String) async throws -> Profile { Profile(name: user) }
    func readProfile(byEmail email: String) async throws -> Profile { Profile(name: "whoever reads \(email)") }
    func unreadCount() -> Int { 3 }
    func deleteProfile(ofUser user: String) async throws {}
}

@Interface(of: ProfileService.self)
struct Profiles: Sendable {
    let readProfile: @Sendable (_ ofUser: String) async throws -> Profile
    /// An overload, called as `readProfile(byEmail:)`.
    @Endpoint("readProfile") let readProfileByEmail: @Sendable (_ byEmail: String) async throws -> Profile
    /// This closure can't throw, so it declares the value for tests that do not implement it.
    @Endpoint(default: 0) let unreadCount: @Sendable () -> Int
}
// snippet.end

// snippet.use
let profiles = Profiles(ProfileService())
print(try await profiles.readProfile(ofUser: "Ann").name)
print(try await profiles.readProfile(byEmail: "ann@example.com").name)

let quiet = profiles.overriding(unreadCount: { 0 })
print(profiles.unreadCount(), quiet.unreadCount(), try await quiet.readProfile(ofUser: "Ann").name)

do {
    _ = try await Profiles.unimplemented.readProfile(byEmail: "ann@example.com")
} catch let error as DependencyError {
    print(error.message)
}
// snippet.end

// snippet.nested
/// An interface of interfaces. If its members come from several services, pass them one by one.
@Interface
struct Services: Sendable {
    let profiles: Profiles
    let log: @Sendable (_ text: String) -> Void
}

let services = Services(profiles: profiles, log: { print("log:", $0) })
services.log(text: "\(services.profiles.unreadCount()) unread")
// snippet.end

// snippet.erasure
@TypeErased
protocol Fetchable<FetchType> {
    associatedtype FetchType
    func fetch(completion: @escaping ([FetchType]?) -> Void)
}

struct UserFetch: Fetchable {
    func fetch(completion: @escaping ([Profile]?) -> Void) { completion([Profile(name: "Ann")]) }
}

struct DaveFetch: Fetchable {
    func fetch(completion: @escaping ([Profile]?) -> Void) { completion([Profile(name: "Dave")]) }
}

/// Accepts both types without being generic.
struct UserList {
    let users: AnyFetchable<Profile>

    func show() {
        users.fetch { print($0?.map(\.name).joined(separator: ", ") ?? "nobody") }
    }
}

UserList(users: AnyFetchable(UserFetch())).show()
UserList(users: AnyFetchable(DaveFetch())).show()
// snippet.end
// snippet.hide
#endif
// snippet.show

// snippet.output
// Output:
// Ann
// whoever reads ann@example.com
// 3 0 Ann
// Profiles.readProfile(byEmail:) was called, but has no implementation here; give it a closure, as in Profiles.unimplemented.overriding(…)
// log: 3 unread
// Ann
// Dave
