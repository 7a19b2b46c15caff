internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension CollapsedRequests {
    /// A request for which others wait. If it is released without an end, it is lost.
    final class Leader: Sendable {
        private let requests: CollapsedRequests
        private let request: RequestFacts
        private let serial: UInt64
        let inFlight: InvalidationFence.InFlightRequest

        init(
            _ requests: CollapsedRequests, _ request: RequestFacts, _ serial: UInt64,
            _ inFlight: InvalidationFence.InFlightRequest
        ) {
            self.requests = requests
            self.request = request
            self.serial = serial
            self.inFlight = inFlight
        }

        // A follower would otherwise wait until its timeout.
        deinit { requests.lose(request.key, serial, hasFailed: false) }

        /// Ends the waits of the followers that can't use the answer, when its head has arrived.
        ///
        /// If no follower is left, the flight ends: the reader of the body sets the pace, and later
        /// requests must not wait for it.
        ///
        /// - Parameter isLasting: whether the next answer will probably be as usable as this one.
        /// - Returns: whether the body must be stored without waiting for its reader.
        func answer(isLasting: Bool, _ usability: @escaping Usability) -> Bool {
            requests.answer(request, serial, isLasting, usability)
        }

        /// Ends the waits of all followers: none can use the answer.
        func answerUnusable(isLasting: Bool) { _ = answer(isLasting: isLasting) { _ in false } }

        /// Whether a follower waits.
        var isAwaited: Bool { requests.isAwaited(request.key, serial) }

        /// Ends the flight, after the answer was stored.
        func end() { requests.end(request.key, serial, inFlight) }

        /// Ends this leader without an answer.
        func fail(_ error: TransportError) {
            requests.lose(request.key, serial, hasFailed: error.code != .cancelled)
        }
    }

    private func answer(
        _ request: RequestFacts, _ serial: UInt64, _ isLasting: Bool, _ usability: @escaping Usability
    ) -> Bool {
        monitor.withLock { state, effects in
            guard var flight = state.flights[request.key], flight.leader == serial else { return false }
            if usability(request) {
                state.unusable.remove(request.key)
            } else if isLasting {
                // The set is a hint. Without a limit it would grow with each URL.
                if state.unusable.count >= Self.unusableLimit { state.unusable = [] }
                state.unusable.insert(request.key)
            }
            flight.usability = usability
            var waiting: [Follower] = []
            for follower in flight.followers where effects.isUndecided(follower.ticket) {
                if usability(follower.request) { waiting.append(follower) } else { follower.end(.alone, &effects) }
            }
            (flight.followers, flight.waiting) = (waiting, waiting.count)
            state.flights[request.key] = waiting.isEmpty && !flight.readsToEnd ? nil : flight
            return !waiting.isEmpty && !flight.readsToEnd
        }
    }

    private func isAwaited(_ key: CacheKey, _ serial: UInt64) -> Bool {
        monitor.read { $0.flights[key].map { $0.leader == serial && $0.waiting > 0 } ?? false }
    }

    private func end(_ key: CacheKey, _ serial: UInt64, _ inFlight: InvalidationFence.InFlightRequest) {
        monitor.withLock { state, effects in
            guard let flight = state.flights[key], flight.leader == serial else { return }
            // RFC 9111 §4.4. The check is under this lock. Otherwise a follower could enter the
            // fence after the invalidation and join before this end. It would then find the old
            // response, which is still being removed.
            guard !inFlight.isInvalidated else { return promote(key, hasFailed: false, &state, &effects) }
            state.flights[key] = nil
            for follower in flight.followers { follower.end(.stored, &effects) }
        }
    }

    private func lose(_ key: CacheKey, _ serial: UInt64, hasFailed: Bool) {
        monitor.withLock { state, effects in
            guard state.flights[key]?.leader == serial else { return }
            promote(key, hasFailed: hasFailed, &state, &effects)
        }
    }
}
