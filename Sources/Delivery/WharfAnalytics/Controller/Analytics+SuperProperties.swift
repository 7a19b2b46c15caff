internal import WharfCore
public import WharfJSON
internal import WharfPrimitives

extension Analytics {
    /// Adds super-properties, which each later event and screen gets.
    ///
    /// They are stored when it returns, and last until ``unregister(_:)`` or ``reset()``. An
    /// event's own properties take precedence.
    ///
    /// - Returns: false if nothing was kept, because there is no consent to any category.
    /// - Throws: ``AnalyticsError/Code/storeFailed``. They are in force in this process; call
    ///   again.
    @discardableResult
    public func register(_ properties: [String: JSONValue]) async throws(AnalyticsError) -> Bool {
        try await identity.changes.withLock { () async throws(AnalyticsError) in
            guard !state.consent.categories.isEmpty else { return false }
            identity.profile.properties.merge(properties) { _, new in new }
            try await storeProfile()
            return true
        }
    }

    /// Removes super-properties.
    ///
    /// - Throws: ``AnalyticsError/Code/storeFailed``. They are gone in this process; call again.
    public func unregister(_ names: String...) async throws(AnalyticsError) {
        try await identity.changes.withLock { () async throws(AnalyticsError) in
            for name in names { identity.profile.properties[name] = nil }
            try await storeProfile()
        }
    }

    /// Erases the identity, for a sign-out.
    ///
    /// User, groups, super-properties, session and anonymous id are gone, in memory and in the
    /// store, when it returns. Events from now on have another anonymous id. Events in the outbox
    /// are still sent, under the identity that they were tracked with; ``setConsent(_:)`` discards
    /// them.
    ///
    /// - Throws: ``AnalyticsError/Code/storeFailed``. The identity is forgotten in this process;
    ///   call again. The next event that is kept erases the rest too.
    public func reset() async throws(AnalyticsError) {
        try await identity.changes.withLock { () async throws(AnalyticsError) in
            do throws(StoreError) {
                try await identity.erase()
            } catch {
                throw .identityNotStored(error)
            }
        }
    }
}
