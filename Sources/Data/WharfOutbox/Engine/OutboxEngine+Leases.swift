internal import Synchronization
public import WharfCore
internal import WharfStorage

extension OutboxEngine {
    /// Extends the leases at each third of their duration, while any is held.
    func extendLeases() async {
        while true {
            // The task was cancelled, so the engine ends.
            do { try await timer.sleep(for: leaseDuration / 3) } catch { return }
            let now = uptime.now()
            let leases = state.withLock { state -> [Lease]? in
                // Cleared in the step that finds no lane. A lane that begins right after starts a
                // new extender; in two steps it would have none.
                if state.heldLanes.isEmpty { state.extender = nil }
                return state.heldLanes.isEmpty ? nil : state.heldLanes.values.filter { !$0.isLost }.map(\.lease)
            }
            guard let leases else { return }
            // Sorted, so that the requests to the store do not depend on the order of a dictionary.
            await extend(leases.sorted { $0.number < $1.number }, at: now)
        }
    }

    /// - Parameter now: read before the store is asked, so that the engine gives a lease up before
    ///   the store does.
    private func extend(_ leases: [Lease], at now: Uptime) async {
        guard !leases.isEmpty else { return }
        var lost = Set(leases)
        do throws(StoreError) {
            // A lease that the store does not return has run out, and another engine may hold its
            // lane.
            let extended = try await store.extend(leases, for: leaseDuration)
            state.withLock { state in
                for lease in extended { state.heldLanes[lease.number]?.goodUntil = now + leaseDuration }
            }
            lost.subtract(extended)
        } catch {
            report(
                Incident(
                    .journalFailed, message: "leases could not be extended; the outbox tries again: \(error)",
                    cause: error))
            let now = uptime.now()
            // After an error the store may have extended them or not. A lease counts as lost only
            // when its own time is over.
            lost = state.withLock { state in
                lost.filter { state.heldLanes[$0.number]?.goodUntil.hasCome(by: now) == true }
            }
        }
        // Another engine may lease and deliver these lanes by now.
        let tasks = state.withLock { state in
            lost.compactMap { lease in
                // Marked before the cancellation: a lane between two requests checks this flag, and
                // must not send under a lost lease.
                state.heldLanes[lease.number]?.isLost = true
                return state.heldLanes[lease.number]?.task
            }
        }
        // Cancelled outside of the lock: a cancellation handler of a destination may call the
        // engine.
        for task in tasks { task.cancel() }
    }
}

extension Incident.Code {
    /// A journal could not be read or written. The engine tries again, and its entries wait.
    public static let journalFailed = Self("journalFailed")
    /// The disk has no room for leases, so they are kept in memory only.
    ///
    /// Other processes don't know of these leases (``WharfCore/LeaseResult/isInMemory``).
    public static let leasesInMemory = Self("leasesInMemory")
}
