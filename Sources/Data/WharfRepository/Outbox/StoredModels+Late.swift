internal import WharfCore
internal import WharfStorage

/// A change of the outbox, with the state of its model when it was sent.
struct AttemptedChange: Sendable {
    let entry: OutboxEntry.ID
    /// The version of its model's key in the store.
    let version: StoreVersion
    /// Whether another change may be sent in its place after a conflict. It is shown until then.
    let mayBeMerged: Bool
}

// Late answers: another process has taken the change over, as when this one was suspended.
extension StoredModels {
    func attempted(_ entry: OutboxEntry, _ key: EntityKey) async throws(DeliveryFailure) -> AttemptedChange {
        let change = WaitingChange(entry.payload)
        let isByMember = kind.codec.members != nil && entry.base != nil && change?.operation == .edit
        let mayBeMerged = isByMember || kind.conflictPolicy != .ask || kind.merge != nil || change?.isDecided == true
        do throws(StoreError) {
            let version = try await store.state(of: key).version
            return AttemptedChange(entry: entry.id, version: version, mayBeMerged: mayBeMerged)
        } catch {
            throw DeliveryFailure(.offline, message: "the store can't be read now: \(error.message)")
        }
    }

    /// Returns whether a change's answer is late, and must not replace the row.
    ///
    /// The answer is late if another process has settled the change before, and the row has changed
    /// since the change was sent. The row may come from a later change.
    ///
    /// - Parameter attempted: nil for a change that goes straight to the service.
    func isOvertaken(_ attempted: AttemptedChange?, _ key: EntityKey) async -> Bool {
        guard let attempted, let journal = journal?.store else { return false }
        do throws(StoreError) {
            switch try await journal.record(of: attempted.entry)?.states[route.destination] {
            // The entry is open, so no other process has settled it. This answer is the first one.
            case .waiting, .pending: return false
            default: return try await store.state(of: key).version != attempted.version
            }
        } catch {
            _ = failed(error, "check whether another process has settled a change of \(kind.name) \(key.id)")
            // The row is then made stale, so it is asked for again.
            return true
        }
    }
}
