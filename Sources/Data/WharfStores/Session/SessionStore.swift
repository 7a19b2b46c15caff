public import WharfCore
internal import WharfPrimitives

/// The session of the signed-in user, in any ``WharfCore/KeyValueStore``.
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
/// Sign-ins and sign-outs run one after the other in the order of their calls. So the last call
/// wins, however long the store takes. Use one session store per session in an app: it does not see
/// the changes of another.
public final class SessionStore<Session: Sendable>: Sendable {
    private let store: any KeyValueStore
    private let key: StoredKey<Session>
    private let turns = AsyncMutex()
    private let signals = StreamFanOut<Void>(latest: ())

    /// Creates a store for the session under a key.
    public init(_ store: any KeyValueStore, key: StoredKey<Session>) {
        self.store = store
        self.key = key
    }

    /// The current session; nil if no user is signed in.
    ///
    /// - Throws: ``WharfCore/StoreError/Code/undecodable`` for a session that the key's codec can't
    ///   decode. It stays until the next sign-in or sign-out.
    public var current: Session? {
        get async throws(StoreError) { try await store.value(of: key) }
    }

    /// Stores a session. It is in the key-value store when this returns.
    public func signIn(_ session: Session) async throws(StoreError) { try await set(session) }

    /// Removes the session. It is gone from the key-value store when this returns.
    ///
    /// Without a session it does nothing.
    public func signOut() async throws(StoreError) { try await set(nil) }

    /// The current session, and then the session after each change.
    ///
    /// A slow reader skips intermediate sessions, and never misses the last.
    public var changes: SessionChanges<Session> { SessionChanges(store: self) }

    private func set(_ session: Session?) async throws(StoreError) {
        try await turns.withLock { () async throws(StoreError) in
            // Signalled even after an error, because the store may have changed.
            defer { tell() }
            try await store.set(session, of: key)
        }
    }

    private func tell() { signals.yield(()) }

    /// Signals that the session may have changed. The first signal is there at once.
    func subscribe() -> AsyncStream<Void> {
        // One signal is enough: the reader reads the newest session after it.
        signals.subscribe(bufferingPolicy: .bufferingNewest(1), beginsWithLatest: true)
    }
}
