import WharfDependencies

extension ProfileReading: LiveDependencyKey {
    static var live: ProfileReading { ProfileReading(ProfileService()) }
}

extension Dependencies {
    var profiles: ProfileReading {
        get { self[ProfileReading.self] }
        set { self[ProfileReading.self] = newValue }
    }
}

/// A depender: what it needs is in its initialiser, with a default.
struct Header {
    private let profiles: ProfileReading

    init(profiles: ProfileReading = Dependencies.current.profiles) {
        self.profiles = profiles
    }

    func title(of user: String) async throws -> String { try await profiles.readProfile(ofUser: user).name }
}

/// An optional, of which nil is a value as any other.
enum Greeting: LiveDependencyKey {
    static var unimplemented: String? { "unimplemented" }
    static var live: String? { "live" }
}

/// An interface apart from its live value, which nobody has given.
enum Unset: DependencyKey {
    static var unimplemented: String { "unimplemented" }
}

/// One needs the other, and that one it again.
enum Chicken: LiveDependencyKey {
    static var unimplemented: String { "no chicken" }
    static var live: String { "a chicken of \(Dependencies.current[Egg.self])" }
}

enum Egg: LiveDependencyKey {
    static var unimplemented: String { "no egg" }
    static var live: String { "an egg of \(Dependencies.current[Chicken.self])" }
}

/// Two that need a third.
enum Left: LiveDependencyKey {
    static var unimplemented: String { "" }
    static var live: String { "left of \(Dependencies.current[Greeting.self] ?? "nobody")" }
}

enum Both: LiveDependencyKey {
    static var unimplemented: String { "" }
    static var live: String { "\(Dependencies.current[Left.self]), \(Dependencies.current[Left.self])" }
}
