import WharfDependencies

struct Profile: Equatable, Sendable {
    let name: String

    static let ann = Profile(name: "Ann")
}

/// The complete service, with more methods than any of its clients needs.
final class ProfileService: Sendable {
    func readProfile(ofUser user: String) throws -> Profile { Profile(name: user) }
    func readProfile(byEmail email: String) async throws -> Profile { Profile(name: "at \(email)") }
    func unread() -> Int { 3 }
    func markRead(_ count: Int) {}
    func show(_ profile: Profile, in room: Int) {}
    @MainActor func present(_ profile: Profile) -> String { "presented \(profile.name)" }
    func read<Value: Decodable>(type: Value.Type, at path: String) async throws -> Value {
        guard let value = path as? Value else { throw DependencyError(.wrongType, message: "only text is there") }
        return value
    }
    func deleteEverybody() {}
}

/// The endpoints that one client calls, written by hand as `@Interface` generates them.
struct ProfileReading: Sendable {
    let readProfile: @Sendable (_ ofUser: String) async throws -> Profile
    let readProfileByEmail: @Sendable (_ byEmail: String) async throws -> Profile
    let unread: @Sendable () -> Int
    let markRead: @Sendable (Int) -> Void
    let present: @MainActor (_ profile: Profile) -> String
    let read: @Sendable (_ type: any Decodable.Type, _ at: String) async throws -> any Decodable

    init(
        readProfile: @escaping @Sendable (_ ofUser: String) async throws -> Profile,
        readProfileByEmail: @escaping @Sendable (_ byEmail: String) async throws -> Profile,
        unread: @escaping @Sendable () -> Int,
        markRead: @escaping @Sendable (Int) -> Void,
        present: @escaping @MainActor (_ profile: Profile) -> String,
        read: @escaping @Sendable (_ type: any Decodable.Type, _ at: String) async throws -> any Decodable
    ) {
        self.readProfile = readProfile
        self.readProfileByEmail = readProfileByEmail
        self.unread = unread
        self.markRead = markRead
        self.present = present
        self.read = read
    }

    init(_ service: ProfileService) {
        self.init(
            readProfile: { try service.readProfile(ofUser: $0) },
            readProfileByEmail: { try await service.readProfile(byEmail: $0) },
            unread: { service.unread() },
            markRead: { service.markRead($0) },
            present: { service.present($0) },
            read: { try await service.read(type: $0, at: $1) }
        )
    }

    static var unimplemented: Self {
        Self(
            readProfile: { _ in try unimplementedEndpoint("ProfileReading.readProfile(ofUser:)") },
            readProfileByEmail: { _ in try unimplementedEndpoint("ProfileReading.readProfile(byEmail:)") },
            unread: { unimplementedEndpoint("ProfileReading.unread()", default: 0) },
            markRead: { _ in unimplementedEndpoint("ProfileReading.markRead(_:)", default: ()) },
            present: { _ in unimplementedEndpoint("ProfileReading.present(profile:)", default: "") },
            read: { _, _ in try unimplementedEndpoint("ProfileReading.read(type:at:)") }
        )
    }

    func overriding(
        readProfile: (@Sendable (_ ofUser: String) async throws -> Profile)? = nil,
        readProfileByEmail: (@Sendable (_ byEmail: String) async throws -> Profile)? = nil,
        unread: (@Sendable () -> Int)? = nil,
        markRead: (@Sendable (Int) -> Void)? = nil,
        present: (@MainActor (_ profile: Profile) -> String)? = nil,
        read: (@Sendable (_ type: any Decodable.Type, _ at: String) async throws -> any Decodable)? = nil
    ) -> Self {
        Self(
            readProfile: readProfile ?? self.readProfile,
            readProfileByEmail: readProfileByEmail ?? self.readProfileByEmail,
            unread: unread ?? self.unread,
            markRead: markRead ?? self.markRead,
            present: present ?? self.present,
            read: read ?? self.read
        )
    }

    func readProfile(ofUser: String) async throws -> Profile {
        try await self.readProfile(ofUser)
    }

    func readProfile(byEmail: String) async throws -> Profile {
        try await self.readProfileByEmail(byEmail)
    }

    @MainActor func present(profile: Profile) -> String {
        self.present(profile)
    }

    func read<Value: Decodable>(type: Value.Type, at: String) async throws -> Value {
        try await genericEndpoint("ProfileReading.read(type:at:)", self.read(type, at))
    }
}
