// Article B, "Looser dependencies": each user of a service declares its calls as a struct of
// closures.
import WharfDependencies

// snippet.service
struct Profile: Sendable {
    let name: String
}

/// The service. It grows with each of its users.
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
    /// The calls of this view, with names of its own. No other type uses it.
    struct Profiles: Sendable {
        let readProfile: @Sendable (_ ofUser: String) async throws -> Profile
        let isMuted: @Sendable (_ user: String) -> Bool

        // A closure has no argument labels, so a method adds them.
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
// The composition of the app: the one place that depends on both sides.
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
    /// An interface whose endpoints fail the running test by their names, and throw if they can.
    static var unimplemented: Self {
        Self(
            readProfile: { _ in try unimplementedEndpoint("OtherUserView.Profiles.readProfile(ofUser:)") },
            isMuted: { _ in unimplementedEndpoint("OtherUserView.Profiles.isMuted(user:)", default: false) })
    }

    /// Returns a copy with other closures, because endpoints are constants.
    func overriding(
        readProfile: (@Sendable (_ ofUser: String) async throws -> Profile)? = nil,
        isMuted: (@Sendable (_ user: String) -> Bool)? = nil
    ) -> Self {
        Self(readProfile: readProfile ?? self.readProfile, isMuted: isMuted ?? self.isMuted)
    }
}

// In a test only the necessary endpoints are implemented.
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
/// A dependency of many types has a key. An interface can be its own key.
extension OtherUserView.Profiles: LiveDependencyKey {
    static var live: Self { Self(ProfileService()) }
}

/// A type many calls deeper. The types in between do not pass the dependency on. An argument
/// overrides the key.
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
// A detached task does not see overrides. So it captures a scope and enters it.
let account = Dependencies.current.overriding { $0[OtherUserView.Profiles.self] = fake }
let name = try await Task.detached {
    try await withDependencies(from: account) { try await Badge().text() }
}.value
print(name)
// snippet.end

// snippet.prepare
// A value that is known only at launch. Its key needs no `LiveDependencyKey` conformance.
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
// OtherUserView.Profiles.readProfile(ofUser:) was called, but has no implementation here; give it a closure, as in OtherUserView.Profiles.unimplemented.overriding(…)
// Carl
// Ann
// Ann
// /tmp/app
