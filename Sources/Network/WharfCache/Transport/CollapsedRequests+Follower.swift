internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension CollapsedRequests {
    /// A request that waits for a leader. ``wait(before:)`` is called once.
    final class Follower: Sendable {
        private let requests: CollapsedRequests
        let request: RequestFacts
        /// HEAD can't lead, because the answer to it is not stored.
        let mayLead: Bool
        let ticket: WaitTicket
        // Both are written under the monitor's lock until the ticket is resumed, and read only by
        // the resumed task.
        private nonisolated(unsafe) var inFlight: InvalidationFence.InFlightRequest
        fileprivate nonisolated(unsafe) var outcome = Outcome.cancelled

        init(
            _ requests: CollapsedRequests, _ request: RequestFacts, mayLead: Bool,
            _ inFlight: InvalidationFence.InFlightRequest, _ ticket: WaitTicket
        ) {
            self.requests = requests
            self.request = request
            self.mayLead = mayLead
            self.inFlight = inFlight
            self.ticket = ticket
        }

        /// Whether the target was invalidated since this request joined, or since its present
        /// leader began. A response that the store had before must not answer the request.
        var isInvalidated: Bool { inFlight.isInvalidated }

        /// Waits for a leader that begins now. Earlier invalidations don't concern its answer.
        func follow(_ inFlight: InvalidationFence.InFlightRequest) { self.inFlight = inFlight }

        /// Waits for the end of the flight, the deadline or the cancellation of the task.
        func wait(before deadline: Deadline?) async -> Outcome {
            guard let deadline else { return await requests.wait(for: self) }
            return await withTaskGroup(of: Void.self) { [self] group in
                group.addTask { [self] in
                    // Cancelled when the wait has ended.
                    do { try await deadline.wait() } catch { return }
                    requests.timeOut(self)
                }
                let outcome = await requests.wait(for: self)
                group.cancelAll()
                return outcome
            }
        }

        /// Ends the wait, unless it has ended.
        func end(_ outcome: Outcome, _ effects: inout Effects) {
            guard effects.isUndecided(ticket) else { return }
            self.outcome = outcome
            effects.resume(ticket)
        }
    }

    private func wait(for follower: Follower) async -> Outcome {
        let isResumed = await monitor.waitUnlessCancelled(for: follower.ticket) { state, _ in
            // One step with the cancellation: the leader must not read ahead for a request that has
            // left.
            state.flights[follower.request.key]?.waiting -= 1
        }
        return isResumed ? follower.outcome : .cancelled
    }

    private func timeOut(_ follower: Follower) {
        monitor.withLock { state, effects in
            guard effects.isUndecided(follower.ticket) else { return }
            state.flights[follower.request.key]?.waiting -= 1
            follower.end(.timedOut, &effects)
        }
    }
}
