import Testing
import WharfChecks
import WharfDependencies
import WharfMacros

struct Profile: Equatable, Sendable {
    let name: String

    static let ann = Profile(name: "Ann")
}

struct NotHere: Error, Equatable {}

final class ProfileService: Sendable {
    func readProfile(ofUser user: String) throws -> Profile { Profile(name: user) }
    func readProfile(byEmail email: String) async throws -> Profile { Profile(name: "at \(email)") }
    func unread() -> Int { 3 }
    func names(for users: [String], _ limit: Int) -> [String] { Array(users.prefix(limit)) }
    func nickname() -> String? { "Annie" }
    func strict() throws(NotHere) -> Int { throw NotHere() }
    func markRead(_ count: Int) {}
    func take(count: inout Int) throws { count += 1 }
    @MainActor func present(_ profile: Profile) -> String { "presented \(profile.name)" }
    func read<Value: Decodable>(type: Value.Type, at path: String) async throws -> Value {
        guard let value = path as? Value else { throw NotHere() }
        return value
    }
    func theme() -> String { "dark" }
}

@Interface(of: ProfileService.self)
struct ProfileReading: Sendable {
    let readProfile: @Sendable (_ ofUser: String) async throws -> Profile
    @Endpoint("readProfile") let readProfileByEmail: @Sendable (_ byEmail: String) async throws -> Profile
    @Endpoint(default: 0) let unread: @Sendable () -> Int
    @Endpoint(default: []) let names: @Sendable (_ for: [String], Int) -> [String]
    @Endpoint(default: nil) let nickname: @Sendable () -> String?
    @Endpoint(default: 7) let strict: @Sendable () throws(NotHere) -> Int
    let markRead: @Sendable (Int) -> Void
    let take: @Sendable (_ count: inout Int) throws -> Void
    @Endpoint(default: "") let present: @MainActor (Profile) -> String
    let read: @Sendable (_ type: any Decodable.Type, _ at: String) async throws -> any Decodable
    let settings: Settings

    /// An interface that is a part of the outer one.
    @Interface(of: ProfileService.self)
    struct Settings: Sendable {
        @Endpoint(default: "") let theme: @Sendable () -> String
    }

    var summary: String { "\(unread()) unread" }
    static let version = 1
}

/// Endpoints whose closure types have names.
@Interface(of: ProfileService.self)
struct Directory: Sendable {
    typealias Read = @Sendable (_ ofUser: String) async throws -> Profile
    typealias Count = @Sendable () -> Int

    let readProfile: Read
    @Endpoint(default: 0) let unread: Self.Count
}

/// An actor's methods are asynchronous from outside, even if they are not inside.
actor Counter {
    private var count = 0
    func add(number: Int) -> Int {
        count += number
        return count
    }
    func reset() { count = 0 }
}

@Interface(of: Counter.self)
struct Counting: Sendable {
    let add: @Sendable (_ number: Int) async throws -> Int
    let reset: @Sendable () async -> Void
}

public protocol Greeting: Sendable {
    func greet(name: String) -> String
    @MainActor func wave(times: Int) -> String
}

struct English: Greeting {
    func greet(name: String) -> String { "Hello \(name)" }
    @MainActor func wave(times: Int) -> String { String(repeating: "o/", count: times) }
}

@Interface(of: (any Greeting).self)
public struct Greeter: Sendable {
    @Endpoint(default: "nobody") public let greet: @Sendable (_ name: String) -> String
    @Endpoint(default: "") public let wave: @MainActor (_ times: Int) -> String
}

@MainActor @Interface struct Screen {
    let show: @MainActor (_ profile: Profile) -> Void
    let load: @Sendable (_ ofUser: String) async throws -> Profile
}

@Interface struct Store<Value: Sendable>: Sendable {
    let load: @Sendable (_ key: String) async throws -> Value?
    let save: @Sendable (_ value: Value, _ key: String) async throws -> Void
    let changes: @Sendable () throws -> AsyncStream<Result<Value, NotHere>>
}
