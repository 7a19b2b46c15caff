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

/// A client whose dependency is a parameter of its initialiser, with a default.
struct Header {
    private let profiles: ProfileReading

    init(profiles: ProfileReading = Dependencies.current.profiles) {
        self.profiles = profiles
    }

    func title(of user: String) async throws -> String { try await profiles.readProfile(ofUser: user).name }
}

/// An optional dependency, whose nil is a value like any other.
enum Greeting: LiveDependencyKey {
    static var unimplemented: String? { "unimplemented" }
    static var live: String? { "live" }
}

/// An interface without a live value.
enum Unset: DependencyKey {
    static var unimplemented: String { "unimplemented" }
}

/// Two live values that depend on each other.
enum Chicken: LiveDependencyKey {
    static var unimplemented: String { "no chicken" }
    static var live: String { "a chicken of \(Dependencies.current[Egg.self])" }
}

enum Egg: LiveDependencyKey {
    static var unimplemented: String { "no egg" }
    static var live: String { "an egg of \(Dependencies.current[Chicken.self])" }
}

/// Two live values that depend on a third.
enum Left: LiveDependencyKey {
    static var unimplemented: String { "" }
    static var live: String { "left of \(Dependencies.current[Greeting.self] ?? "nobody")" }
}

enum Both: LiveDependencyKey {
    static var unimplemented: String { "" }
    static var live: String { "\(Dependencies.current[Left.self]), \(Dependencies.current[Left.self])" }
}
