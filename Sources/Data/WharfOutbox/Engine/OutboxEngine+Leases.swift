internal import Synchronization
public import WharfCore

extension OutboxEngine {
    /// Extends the leases at each third of their duration, while any is held.
    func extendLeases() async {
        while true {
            // The task was cancelled, so the engine ends.
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
        // Another engine may lease and deliver these lanes by now.
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
    /// A journal could not be read or written. The engine tries again, and its entries wait.
    public static let journalFailed = Self("journalFailed")
    /// The disk has no room for leases, so they are kept in memory only.
    ///
    /// Other processes don't know of these leases (``WharfCore/Leased/isInMemory``).
    public static let leasesInMemory = Self("leasesInMemory")
}
