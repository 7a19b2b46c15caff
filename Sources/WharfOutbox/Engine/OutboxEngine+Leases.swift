internal import Synchronization
public import WharfCore

extension OutboxEngine {
    /// Makes leases good again at a third of their time, as long as any is held.
    func extendLeases() async {
        while true {
            // Cancelled: the engine ends.
            do { try await timer.sleep(for: leaseDuration / 3) } catch { return }
            let now = uptime.now()
            let leases = state.withLock { state -> [Lease]? in
                if state.held.isEmpty { state.extender = nil }
                return state.held.isEmpty ? nil : state.held.values.filter { !$0.isLost }.map(\.lease)
            }
            guard let leases else { return }
            await extend(leases.sorted { $0.number < $1.number }, at: now)
        }
    }

    /// - Parameter now: read before the store is asked, so that the engine gives a lease up before
    ///   the store does.
    private func extend(_ leases: [Lease], at now: Uptime) async {
        guard !leases.isEmpty else { return }
        var lost = Set(leases)
        do throws(StoreError) {
            let extended = try await store.extend(leases, for: leaseDuration)
            state.withLock { state in
                for lease in extended { state.held[lease.number]?.goodUntil = now + leaseDuration }
            }
            lost.subtract(extended)
        } catch {
            report(
                Incident(
                    .journalFailed, message: "leases could not be extended; it is tried again: \(error)", cause: error))
            let now = uptime.now()
            lost = state.withLock { state in
                lost.filter { state.held[$0.number]?.goodUntil.hasCome(by: now) == true }
            }
        }
        // Somebody else may deliver it by now.
        let tasks = state.withLock { state in
            lost.compactMap { lease in
                state.held[lease.number]?.isLost = true
                return state.held[lease.number]?.task
            }
        }
        for task in tasks { task.cancel() }
    }
}

extension Incident.Code {
    /// A journal could not be read or written; it is tried again, and what is in it waits.
    public static let journalFailed = Self("journalFailed")
    /// The disk has no room for leases. Entries are sent under leases that other processes don't
    /// know of (``WharfCore/Leased/isInMemory``).
    public static let leasesInMemory = Self("leasesInMemory")
}
