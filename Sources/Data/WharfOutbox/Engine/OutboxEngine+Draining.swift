internal import Synchronization
public import WharfCore
internal import WharfPrimitives
public import WharfStorage

extension OutboxEngine {
    /// Delivers everything that is due now, without waiting for batches to fill.
    ///
    /// Use it in background tasks and command line tools. It works whether the engine was started
    /// or not.
    ///
    /// - Destinations that could not be reached are tried once more.
    /// - When the time is over or the task is cancelled, an engine that was not started gives its
    ///   lanes back as ``close()`` does. A started engine continues.
    ///
    /// - Parameter limit: the time that it may take; nil for as long as something is due.
    /// - Throws: the error of the journal; ``WharfCore/StoreError/Code/closed`` after ``close()``.
    public func drain(within limit: Duration? = nil) async throws(StoreError) -> DrainReport {
        let begun = Drain()
        guard let id = beginDrain(begun) else { throw .engineClosed }
        let deadline = limit.map { limit in alarm(after: limit) { [end = begun.end] in end.fulfil(.timedOut) } }
        // The first of these ends counts: nothing is due, the time is over, the store fails, the
        // engine closes, or the caller is cancelled.
        let end = await begun.end.waitUnlessCancelled() ?? .timedOut
        deadline?.cancel()
        // The count falls and the last drain is recognised in one step. Two drains that end at once
        // would otherwise both keep their lanes, or both end them.
        let (drain, isLast) = state.withLock { state in
            state.schedule.drains -= 1
            return (state.drains.removeValue(forKey: id), state.schedule.drains == 0 && !state.schedule.isStarted)
        }
        if isLast {
            await Task(executorPreference: executor) { [self] in await endLanes() }.value
            // The loop rests; this signal lets it find that no drain is left, and end.
            wakeUp.signal()
        }
        switch end {
        case .failed(let error): throw error
        case .closed: throw .engineClosed
        case .complete: return try await report(drain, isComplete: true)
        case .timedOut, .heldBack: return try await report(drain, isComplete: false)
        }
    }

    private func beginDrain(_ drain: Drain) -> UInt64? {
        let id = state.withLock { state -> UInt64? in
            // Checked in the step that adds the drain. `close()` ends all drains that it sees, and
            // one added later would wait forever.
            guard !state.schedule.isClosed else { return nil }
            state.lastDrain += 1
            state.drains[state.lastDrain] = drain
            state.schedule.drains += 1
            // A drain tries destinations with an open breaker at once: a background task may have
            // no later chance.
            state.schedule.closeBreakers()
            return state.lastDrain
        }
        if id != nil { startLoop() }
        return id
    }

    private func report(_ drain: Drain?, isComplete: Bool) async throws(StoreError) -> DrainReport {
        let counts = try await store.counts(of: account)
        let parked = state.withLock { state in counts.pending.filter { state.isParked($0.key) } }
        return DrainReport(
            delivered: drain?.delivered ?? 0, failed: drain?.failed ?? 0, setAside: drain?.setAside ?? 0,
            isComplete: isComplete, remaining: counts, parked: parked)
    }
}
