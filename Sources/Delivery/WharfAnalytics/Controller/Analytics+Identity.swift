internal import WharfCore
public import WharfJSON
internal import WharfPrimitives

// A call that throws `tooLarge` or returns `withoutConsent` has changed nothing. Events that are
// tracked during the call may have the new identity already; later events have it.
extension Analytics {
    /// Makes a user known: events from now on are the user's.
    ///
    /// Event and identity are stored when it returns. The calls for the first user after a
    /// ``reset()`` link the earlier events of the anonymous id to that user.
    ///
    /// - Parameters:
    ///   - traits: facts about the user, such as a plan.
    ///   - once: traits that a sink sets only if it has none of that name. Segment has no such
    ///     traits, and gets them with the others.
    /// - Returns: ``TrackingResult/withoutConsent`` if nothing was kept. Call again with the
    ///   consent.
    /// - Throws: ``AnalyticsError/Code/emptyID``, ``AnalyticsError/Code/tooLarge``,
    ///   ``AnalyticsError/Code/notEncodable``, ``AnalyticsError/Code/storeFailed``; call again
    ///   after the last one.
    @discardableResult
    public func identify(
        _ user: String, traits: [String: JSONValue] = [:], once: [String: JSONValue] = [:],
        category: Consent.Category = .statistics
    ) async throws(AnalyticsError) -> TrackingResult {
        try require(user, "user")
        return try await change(category) { profile, anonymousID in
            // Linked each time: after the user was stored, the first event may have been discarded,
            // dropped or filtered. Receivers ignore a repeated link.
            let first = profile.linkedUser ?? user
            let linking = first == user ? anonymousID : nil
            (profile.user, profile.linkedUser) = (user, first)
            return EventDraft(
                kind: .identify(linking: linking), name: "identify", category: category, properties: traits,
                traitsOnce: once)
        }
    }

    /// Gives the user another id: events from now on are sent under it.
    ///
    /// Use it when an id changes, such as from an e-mail address to a number.
    /// ``identify(_:traits:once:category:)`` is enough to link the events of the anonymous id.
    ///
    /// - Throws: as ``identify(_:traits:once:category:)``.
    @discardableResult
    public func alias(
        _ user: String, category: Consent.Category = .statistics
    ) async throws(AnalyticsError) -> TrackingResult {
        try require(user, "user")
        return try await change(category) { profile, anonymousID in
            let previous = profile.user ?? anonymousID
            // The link belongs to the renamed user. With the old id, the next `identify` would take
            // the user for another one and link nothing.
            if profile.linkedUser == profile.user { profile.linkedUser = user }
            profile.user = user
            return EventDraft(kind: .alias(previous: previous), name: "alias", category: category, properties: [:])
        }
    }

    /// Adds the user to a group, such as a company.
    ///
    /// Events from now on are the group's too. A user is in one group of each type. Segment has no
    /// types of groups.
    ///
    /// - Parameter traits: facts about the group.
    /// - Throws: as ``identify(_:traits:once:category:)``.
    @discardableResult
    public func group(
        _ id: String, type: String = "group", traits: [String: JSONValue] = [:],
        category: Consent.Category = .statistics
    ) async throws(AnalyticsError) -> TrackingResult {
        try require(id, "group")
        guard !type.isEmpty else {
            throw AnalyticsError(.emptyID, message: "the type of the group \"\(id)\" is empty; name one")
        }
        return try await change(category) { profile, _ in
            profile.groups[type] = id
            return EventDraft(
                kind: .group(type: type, id: id), name: "group", category: category, properties: traits)
        }
    }

    private func require(_ id: String, _ owner: String) throws(AnalyticsError) {
        guard id.isEmpty else { return }
        throw AnalyticsError(
            .emptyID, message: "the id of the \(owner) is empty; name one, or call reset() for a sign-out")
    }

    /// Keeps a change of the profile together with its event.
    ///
    /// The event is stored first. After a kill between the two the app identifies the user again.
    /// In the other order the link to the anonymous id would be lost for good.
    private func change(
        _ category: Consent.Category, _ draft: (inout IdentityProfile, _ anonymousID: String) -> EventDraft
    ) async throws(AnalyticsError) -> TrackingResult {
        try await identity.changes.withLock { () async throws(AnalyticsError) in
            // Read under `changes`, so that a failure restores the profile of the change before,
            // and not that of a concurrent one.
            let before = identity.profile
            let tracked = try await countingErrors { () async throws(AnalyticsError) in
                guard state.consent.allows(category) else { return counted(.withoutConsent) }
                var stamp = stamp()
                let draft = draft(&stamp.profile, stamp.anonymousID)
                // `prepare` throws before the profile is set, so a call that throws `tooLarge` has
                // changed nothing.
                guard case .wanted(let item) = try prepare(draft, stamp) else {
                    identity.profile = stamp.profile
                    return counted(.leftOut)
                }
                do throws(AnalyticsError) {
                    // Set when the event has its place in the queue, before it is stored. Events
                    // that are tracked meanwhile follow it and have the new identity.
                    return try await keep(item) { identity.profile = stamp.profile }
                } catch {
                    identity.profile = before
                    throw error
                }
            }
            if tracked == .withoutConsent {
                // The consent was withdrawn while the event waited for the disk.
                identity.profile = before
            } else {
                try await storeProfile()
            }
            return tracked
        }
    }

    func storeProfile() async throws(AnalyticsError) {
        do throws(StoreError) {
            try await identity.storeProfile()
        } catch {
            throw .identityNotStored(error)
        }
    }
}

extension AnalyticsError {
    static func identityNotStored(_ error: StoreError) -> Self {
        Self(
            .storeFailed,
            message: "the identity is changed in this process and could not be stored: \(error); call again",
            cause: error)
    }
}
