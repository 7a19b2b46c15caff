internal import WharfCore

/// A change that waits in an outbox, as it was when it was sent.
struct Attempted: Sendable {
    let entry: OutboxEntry.ID
    /// The version of what the store had of its model.
    let version: StoreVersion
    /// Whether something may be sent in its place where it is in conflict, and it is shown until
    /// then.
    let mayBeMerged: Bool
}

// Answers that come when others have taken over, as to a process that was suspended.
extension StoredModels {
    func attempted(_ entry: OutboxEntry, _ key: EntityKey) async throws(DeliveryFailure) -> Attempted {
        let change = WaitingChange(entry.payload)
        let isByMember = kind.codec.members != nil && entry.base != nil && change?.operation == .edit
        let mayBeMerged = isByMember || kind.conflictPolicy != .ask || kind.merge != nil || change?.isDecided == true
        do throws(StoreError) {
            let version = try await store.state(of: key).version
            return Attempted(entry: entry.id, version: version, mayBeMerged: mayBeMerged)
        } catch {
            throw DeliveryFailure(.offline, message: "the store can't be read now: \(error.message)")
        }
    }

    /// Whether somebody else has settled a change before its answer was there, and what the store
    /// has of the model is another than when it was sent: it may have come of a later change.
    ///
    /// - Parameter attempted: nil for what goes straight to the service.
    func isOvertaken(_ attempted: Attempted?, _ key: EntityKey) async -> Bool {
        guard let attempted, let journal = journal?.store else { return false }
        do throws(StoreError) {
            switch try await journal.record(of: attempted.entry)?.states[route.destination] {
            case .waiting, .pending: return false
            default: return try await store.state(of: key).version != attempted.version
            }
        } catch {
            _ = failed(error, "look whether somebody else has settled a change of \(kind.name) \(key.id)")
            // Then what is there is asked for again.
            return true
        }
    }
}
