internal import Synchronization
public import WharfCore
public import WharfJSON
internal import WharfPrimitives

/// The identity that events are sent under, which survives the process.
///
/// It has an anonymous id, a user, groups, super-properties and a session.
///
/// ```swift
/// let identity = try await AnalyticsIdentity(in: SQLiteKeyValueStore(file))
/// let analytics = Analytics(outbox: outbox, sinks: sinks, identity: identity, consent: consent)
/// ```
///
/// It is stored as two values:
///
/// - The anonymous id is made for the first event with consent, before its stages and size are
///   checked. It is stored with the first event that is kept. After ``Analytics/reset()``, the next
///   event makes another one.
/// - User, groups and super-properties change by ``Analytics/identify(_:traits:once:category:)``
///   and the calls beside it. They are stored when the call returns.
/// - A session ends after a time without an event, and after 24 hours. The time of the last event
///   is stored with the event, so a restart within that time continues the session.
///
/// One process uses a store at a time: each instance reads it once. Use one instance for each
/// ``Analytics``.
public final class AnalyticsIdentity: Sendable {
    private struct State {
        // Invariants when `writes` is free:
        // - `storedVisit` is the visit in the store, unless `isErasing` is set.
        // - `isErasing` is set if the store may still have the erased profile.
        var profile = IdentityProfile()
        var visit: IdentityVisit?
        /// The visit in the store.
        var storedVisit: IdentityVisit?
        /// Whether an erasure has failed, so that the store still has the old profile.
        var isErasing = false
    }

    private let store: (any KeyValueStore)?
    private let sessionTimeout: Duration
    private let state: Mutex<State>
    /// Serialises calls that change the profile. Each holds it until event and profile are stored.
    let changes = AsyncMutex()
    /// Serialises the writes to the store.
    ///
    /// Invariant: the store is written under it, with the values in memory at that time. An erasure
    /// is never followed by a write of the erased values.
    private let writes = AsyncMutex()

    /// Creates an identity that lasts as long as the process.
    ///
    /// - Parameter sessionTimeout: the longest time between two events of a session.
    public init(sessionTimeout: Duration = .seconds(30 * 60)) {
        store = nil
        self.sessionTimeout = sessionTimeout
        state = Mutex(State())
    }

    /// Reads the identity that an earlier process left in a store.
    ///
    /// - Parameter sessionTimeout: the longest time between two events of a session.
    /// - Throws: the error of the store; `undecodable` for values of a later version.
    ///   ``erase(in:)`` makes way for a new identity.
    public init(
        in store: any KeyValueStore, sessionTimeout: Duration = .seconds(30 * 60)
    ) async throws(StoreError) {
        let profile = try await store.value(of: .profile)
        let visit = try await store.value(of: .visit)
        self.store = store
        self.sessionTimeout = sessionTimeout
        state = Mutex(State(profile: profile ?? IdentityProfile(), visit: visit, storedVisit: visit))
    }

    /// Removes the identity from a store.
    ///
    /// Use it for a purge while no ``Analytics`` uses the store.
    ///
    /// - Throws: the error of the store.
    public static func erase(in store: any KeyValueStore) async throws(StoreError) {
        // The anonymous id goes first. After a kill between the two the user is still known, so the
        // next user's identify links nothing. In the other order it would link the anonymous id of
        // this user.
        try await store.set(nil, of: .visit)
        try await store.set(nil, of: .profile)
    }

    /// The id of the installation; nil before the first event, and after a reset.
    public var anonymousID: String? { state.withLock { $0.visit?.anonymousID } }

    /// The user of ``Analytics/identify(_:traits:once:category:)``.
    public var user: String? { profile.user }

    /// The ids of the user's groups, by type.
    public var groups: [String: String] { profile.groups }

    /// The properties that each event gets.
    public var superProperties: [String: JSONValue] { profile.properties }

    var profile: IdentityProfile {
        get { state.withLock { $0.profile } }
        set { state.withLock { $0.profile = newValue } }
    }

    /// Adds an event to the session, and makes the anonymous id if there is none.
    func stamp(_ event: String, at time: WallTime, newID: () -> String) -> EventStamp {
        state.withLock { state in
            var visit =
                state.visit ?? IdentityVisit(anonymousID: newID(), event: event, at: time)
            visit.add(event, at: time, timeout: sessionTimeout)
            // In the same critical section as the read: two concurrent first events would otherwise
            // make two anonymous ids.
            state.visit = visit
            return EventStamp(
                id: event, time: time, anonymousID: visit.anonymousID, session: visit.session,
                profile: state.profile)
        }
    }

    // MARK: Storing

    /// Stores the profile. An empty one is removed: without consent a call leaves no value.
    func storeProfile() async throws(StoreError) {
        guard let store else { return }
        try await writes.withLock { () async throws(StoreError) in
            try await write(profile, to: store)
        }
    }

    /// Writes the profile. Call it with `writes` held.
    private func write(_ profile: IdentityProfile, to store: any KeyValueStore) async throws(StoreError) {
        try await store.set(profile == IdentityProfile() ? nil : profile, of: .profile)
        // The new profile has replaced the erased one, so nothing of it is left in the store.
        state.withLock { $0.isErasing = false }
    }

    /// Whether a kill would lose the anonymous id.
    var hasUnstoredID: Bool {
        guard store != nil else { return false }
        return state.withLock { $0.visit?.anonymousID != $0.storedVisit?.anonymousID }
    }

    /// Stores the anonymous id and the session, if they have changed since.
    ///
    /// - Returns: the error if they could not be stored.
    func storeVisit() async -> StoreError? {
        guard let store else { return nil }
        return await writes.withLock {
            // Read after `writes` was acquired. A value read before it could be erased meanwhile,
            // and would come back.
            let state = state.withLock { $0 }
            let visit = state.visit
            guard visit != state.storedVisit || state.isErasing else { return nil }
            do throws(StoreError) {
                try await store.set(visit, of: .visit)
                self.state.withLock { $0.storedVisit = visit }
                // Otherwise the next process would send events under the erased user.
                if state.isErasing { try await write(state.profile, to: store) }
                return nil
            } catch {
                return error
            }
        }
    }

    /// Erases the identity, in memory first.
    func erase() async throws(StoreError) {
        try await writes.withLock { () async throws(StoreError) in
            // Under `writes`. Otherwise an event in between makes an anonymous id, and an earlier
            // write stores it. This erasure would then remove it from the store while it is in use.
            state.withLock { state in
                state.profile = IdentityProfile()
                state.visit = nil
                state.isErasing = store != nil
            }
            guard let store else { return }
            try await Self.erase(in: store)
            state.withLock { state in
                state.storedVisit = nil
                state.isErasing = false
            }
        }
    }
}
