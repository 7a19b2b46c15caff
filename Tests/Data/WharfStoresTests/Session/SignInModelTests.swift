import Foundation
import Testing
import WharfCore
import WharfStores

/// The data of a signed-in user that the screens of the article need.
private struct User: Codable, Equatable {
    var name: String
    var phone: String?
    var token: String
}

extension StoredKey<User> {
    fileprivate static var user: Self {
        StoredKey(
            "user",
            Codec {
                try [UInt8](JSONEncoder().encode($0))
            } decode: { bytes, _ in
                try JSONDecoder().decode(User.self, from: Data(bytes))
            })
    }
}

/// A screen's model, which depends on the session and not on the store.
@MainActor private final class SignInModel {
    enum State: Equatable {
        case unknown
        case signedOut
        case signedIn(User)
    }

    private(set) var states = [State.unknown]
    private let sessions: SessionStore<User>

    init(store: any KeyValueStore) { sessions = SessionStore(store, key: .user) }

    /// Follows the changes up to the given state.
    func follow(until last: State) async throws {
        for try await user in sessions.changes {
            states.append(user.map(State.signedIn) ?? .signedOut)
            if states.last == last { return }
        }
    }

    func signIn(_ name: String) async throws {
        try await sessions.signIn(User(name: name, token: "token of \(name)"))
    }

    func signOut() async throws { try await sessions.signOut() }
}

@MainActor @Suite struct SignInModelTests {
    @Test(arguments: KeyValueConformer.allCases)
    func signInModelWorksOnEveryKeyValueStore(conformer: KeyValueConformer) async throws {
        let scratch = try Scratch()
        let store = try await conformer.make(in: scratch)
        let alice = SignInModel.State.signedIn(User(name: "alice", token: "token of alice"))

        let model = SignInModel(store: store)
        try await model.follow(until: .signedOut)
        #expect(model.states == [.unknown, .signedOut])
        try await model.signIn("alice")
        try await model.follow(until: alice)

        // Another screen, or the next launch.
        let splash = SignInModel(store: store)
        try await splash.follow(until: alice)
        #expect(splash.states == [.unknown, alice])

        try await splash.signOut()
        try await splash.follow(until: .signedOut)
        let next = SignInModel(store: store)
        try await next.follow(until: .signedOut)
        #expect(next.states == [.unknown, .signedOut])
    }
}
