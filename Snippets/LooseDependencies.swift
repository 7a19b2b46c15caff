// Article B, "Looser dependencies": whoever depends declares what it calls, as a struct of
// closures.
import WharfDependencies

// snippet.service
struct Profile: Sendable {
    let name: String
}

/// The service as it is. It grows with all who use it.
final class ProfileService: Sendable {
    func readLoggedInProfile() async throws -> Profile { Profile(name: "Leanne") }
    func readProfile(ofUser user: String) async throws -> Profile { Profile(name: user.capitalized) }
    func deleteProfile(ofUser user: String) async throws {}
    // and ten more
}
// snippet.end

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

// snippet.depender
final class OtherUserView: Sendable {
    /// What this view calls, in its own words. Nobody else needs to know of it.
    struct Profiles: Sendable {
        let readProfile: @Sendable (_ ofUser: String) async throws -> Profile
        let isMuted: @Sendable (_ user: String) -> Bool

        // A closure has no names of arguments; a method gives them back.
        func readProfile(ofUser: String) async throws -> Profile { try await readProfile(ofUser) }
        func isMuted(user: String) -> Bool { isMuted(user) }
    }

    private let profiles: Profiles

    init(profiles: Profiles) {
        self.profiles = profiles
    }

    func title(of user: String) async throws -> String {
        let profile = try await profiles.readProfile(ofUser: user)
        return profiles.isMuted(user: user) ? "\(profile.name) (muted)" : profile.name
    }
}
// snippet.end

// snippet.composition
// Where the app is put together: the one place that knows both.
extension OtherUserView.Profiles {
    init(_ service: ProfileService, muted: Set<String> = []) {
        self.init(readProfile: service.readProfile(ofUser:), isMuted: { muted.contains($0) })
    }
}

let view = OtherUserView(profiles: .init(ProfileService(), muted: ["bob"]))
print(try await view.title(of: "bob"))
// snippet.end

// snippet.unimplemented
extension OtherUserView.Profiles {
    /// Each endpoint fails the running test by its name, and throws where it can.
    static var unimplemented: Self {
        Self(
            readProfile: { _ in try unimplementedEndpoint("OtherUserView.Profiles.readProfile(ofUser:)") },
            isMuted: { _ in unimplementedEndpoint("OtherUserView.Profiles.isMuted(user:)", default: false) })
    }

    /// A copy with other closures: endpoints are constants.
    func overriding(
        readProfile: (@Sendable (_ ofUser: String) async throws -> Profile)? = nil,
        isMuted: (@Sendable (_ user: String) -> Bool)? = nil
    ) -> Self {
        Self(readProfile: readProfile ?? self.readProfile, isMuted: isMuted ?? self.isMuted)
    }
}

// In a test: what it needs, and nothing of the rest.
let fake = OtherUserView.Profiles.unimplemented.overriding(
    readProfile: { _ in Profile(name: "Ann") }, isMuted: { _ in false })
print(try await OtherUserView(profiles: fake).title(of: "anybody"))

do {
    _ = try await OtherUserView(profiles: .unimplemented).title(of: "anybody")
} catch let error as DependencyError {
    print(error.message)
}
// snippet.end

// snippet.override
/// What nearly everything needs has a key. An interface can be its own.
extension OtherUserView.Profiles: LiveDependencyKey {
    static var live: Self { Self(ProfileService()) }
}

/// Far below: nobody in between passes it along, and an argument still wins.
struct Badge {
    private let profiles: OtherUserView.Profiles

    init(profiles: OtherUserView.Profiles = Dependencies.current[OtherUserView.Profiles.self]) {
        self.profiles = profiles
    }

    func text() async throws -> String { try await profiles.readProfile(ofUser: "carl").name }
}

print(try await Badge().text())
try await withDependencies {
    $0[OtherUserView.Profiles.self] = fake
} operation: {
    print(try await Badge().text())
}
// snippet.end

// snippet.scope
// A detached task sees no overrides. A scope is captured, and entered where it is needed.
let account = Dependencies.current.overriding { $0[OtherUserView.Profiles.self] = fake }
let name = try await Task.detached {
    try await withDependencies(from: account) { try await Badge().text() }
}.value
print(name)
// snippet.end

// snippet.prepare
// At launch: a value that is not known before. It needs no LiveDependencyKey.
enum DataFolder: DependencyKey {
    static var unimplemented: String { "" }
}

prepareDependencies { $0[DataFolder.self] = "/tmp/app" }
print(Dependencies.current[DataFolder.self])
// snippet.end

// snippet.output
// Output:
// Bob (muted)
// Ann
// OtherUserView.Profiles.readProfile(ofUser:) was called, and nothing implements it here; give it a closure, as in OtherUserView.Profiles.unimplemented.overriding(…)
// Carl
// Ann
// Ann
// /tmp/app
