public import WharfCore
internal import WharfPrimitives

/// Keeps who is signed in, wherever a ``WharfCore/KeyValueStore`` keeps it.
///
/// A screen is given the store and doesn't know whether it is the keychain, a file or memory:
///
/// ```swift
/// @MainActor @Observable final class SignInModel {
///     private(set) var user: User?
///     private let sessions: SessionStore<User>
///
///     init(store: any KeyValueStore) { sessions = SessionStore(store, key: .user) }
///
///     func follow() async throws {
///         for try await user in sessions.changes { self.user = user }
///     }
///
///     func signIn(_ user: User) async throws { try await sessions.signIn(user) }
/// }
///
/// SignInModel(store: KeychainKeyValueStore(service: "com.example.app"))      // in the app
/// SignInModel(store: MemoryKeyValueStore())                                  // in a preview or test
/// ```
///
/// Sign-ins and sign-outs are carried out one after the other in the order of their calls, so the
/// last call wins, however long the store takes. An app has one session store for a session: what
/// another one does isn't heard of.
public final class SessionStore<Session: Sendable>: Sendable {
    private let store: any KeyValueStore
    private let key: StoredKey<Session>
    private let turns = AsyncMutex()
    private let signals = StreamFanOut<Void>(latest: ())

    public init(_ store: any KeyValueStore, key: StoredKey<Session>) {
        self.store = store
        self.key = key
    }

    /// Nil when nobody is signed in.
    ///
    /// - Throws: ``WharfCore/StoreError/Code/undecodable`` for a session that the key's codec can't
    ///   decode. It stays until somebody signs in or out.
    public var current: Session? {
        get async throws(StoreError) { try await store.value(of: key) }
    }

    /// The session is in the store when this returns.
    public func signIn(_ session: Session) async throws(StoreError) { try await set(session) }

    /// Nothing is in the store when this returns. Where nobody is signed in it is no error.
    public func signOut() async throws(StoreError) { try await set(nil) }

    /// What is there, and then what is there after each change. A slow reader misses what came
    /// between, and never the last.
    public var changes: SessionChanges<Session> { SessionChanges(store: self) }

    private func set(_ session: Session?) async throws(StoreError) {
        try await turns.withLock { () async throws(StoreError) in
            // Also after an error, which doesn't say that nothing was changed.
            defer { tell() }
            try await store.set(session, of: key)
        }
    }

    private func tell() { signals.yield(()) }

    /// Signals that the session may be another one: the first is there already.
    func subscribe() -> AsyncStream<Void> {
        signals.subscribe(bufferingPolicy: .bufferingNewest(1), beginsWithLatest: true)
    }
}
