internal import Synchronization
internal import WharfCore
internal import WharfJSON
internal import WharfPrimitives
internal import WharfStorage

extension Analytics {
    /// The lane of all sinks' entries. One lane lets them go in batches and in order.
    static let lane = "analytics"

    /// Returns the entries of an event: one for all sinks that get the same bytes.
    func entries(for event: TrackedEvent, at now: WallTime) throws(AnalyticsError) -> [OutboxEntry] {
        guard let event = stages.process(event) else { return [] }
        var payloads: [(bytes: [UInt8], targets: [OutboxEntry.Target])] = []
        for destination in destinations {
            // Each destination may change its own copy of the event.
            guard let own = destination.stages.process(event) else { continue }
            try own.requireIDs()
            let bytes = try own.payload(within: eventLimit)
            try destination.requireRoom(for: own)
            if let place = payloads.firstIndex(where: { $0.bytes == bytes }) {
                payloads[place].targets.append(.init(destination.name))
            } else {
                payloads.append((bytes, [.init(destination.name)]))
            }
        }
        return payloads.map { payload in
            var entry = OutboxEntry(
                id: outbox.newID(), lane: Self.lane, kind: AnalyticsDestination.kind, payload: payload.bytes,
                targets: payload.targets, enqueuedAt: now)
            entry.account = account
            entry.deliveryClass = deliveryClass
            return entry
        }
    }

    /// Writes the queue to the outbox until it is empty.
    func write() async {
        while true {
            // Taken in one critical section: `next` says that writing ends only if the queue is
            // empty. Otherwise an event could enter after the look, and stay there without a
            // writer.
            let (items, commitEnd) = queue.withLock { $0.next() }
            commitEnd?.fulfil()
            guard !items.isEmpty else { return }
            do throws(StoreError) {
                if let failure = try await commit(items.flatMap(\.entries)) { report(failure) }
                // After the commit: a caller that returns must find its event in the outbox after a
                // kill.
                for item in items { finish(item, .success(.kept(id: item.id))) }
                await keepDeadLettersWithinLimit()
            } catch {
                for item in items { finish(item, .failure(.notStored(error))) }
            }
        }
    }

    /// Stores entries, the anonymous id and the session.
    ///
    /// - Returns: the error with which the anonymous id and the session could not be stored.
    private func commit(_ entries: [OutboxEntry]) async throws(StoreError) -> StoreError? {
        if identity.hasUnstoredID {
            // Before the entries: after a kill between the two the next process would make another
            // anonymous id. The first events would then belong to another installation.
            let failure = await identity.storeVisit()
            _ = try await outbox.enqueue(entries, changing: [])
            return failure
        }
        // Concurrently: a store in the file of the outbox shares its transaction.
        async let failure = identity.storeVisit()
        _ = try await outbox.enqueue(entries, changing: [])
        return await failure
    }

    private func report(_ failure: StoreError) {
        onIncident(
            Incident(
                .sessionNotStored,
                message: "the anonymous id and the session could not be stored: \(failure); they are stored "
                    + "with the next event", cause: failure))
    }
}

extension TrackedEvent {
    /// - Throws: ``AnalyticsError/Code/notEncodable`` if a stage has added a value that JSON can't
    ///   express; ``AnalyticsError/Code/tooLarge``.
    func payload(within limit: Int) throws(AnalyticsError) -> [UInt8] {
        let payload: [UInt8]
        do throws(JSONError) {
            payload = try JSON.encode(self)
        } catch {
            throw AnalyticsError(
                .notEncodable, message: "\"\(name)\" can't be written as JSON: \(error)", cause: error)
        }
        let size = EventSize(bytes: payload.count, limit: limit)
        if size.isTooLarge { throw .tooLarge(self, size, "the outbox") }
        return payload
    }
}

extension TrackedEvent {
    /// Refuses empty ids, which a stage may have set.
    ///
    /// - Throws: ``AnalyticsError/Code/emptyID``.
    fileprivate func requireIDs() throws(AnalyticsError) {
        let hasEmptyGroup = groups.contains { $0.key.isEmpty || $0.value.isEmpty }
        guard user == "" || anonymousID == "" || hasEmptyGroup else { return }
        throw AnalyticsError(
            .emptyID,
            message: "a stage has given the \(kind.name) \"\(name)\" an empty id of a user or a group; leave the id "
                + "out, or name one")
    }
}

extension AnalyticsDestination {
    /// - Throws: ``AnalyticsError/Code/tooLarge``.
    fileprivate func requireRoom(for event: TrackedEvent) throws(AnalyticsError) {
        if let size = sink.size(of: event), size.isTooLarge { throw .tooLarge(event, size, "the sink \(name)") }
    }
}

extension AnalyticsError {
    static func tooLarge(_ event: TrackedEvent, _ size: EventSize, _ receiver: String) -> Self {
        Self(
            .tooLarge,
            message: "the \(event.kind.name) \"\(event.name)\" has \(size.bytes) bytes, and \(receiver) takes at "
                + "most \(size.limit); shorten its properties", size: size)
    }

    static func notStored(_ error: StoreError) -> Self {
        Self(.storeFailed, message: "the outbox could not store the event: \(error)", cause: error)
    }

    static var crowdedOut: Self {
        Self(
            .crowdedOut,
            message: "the event was not kept: events are posted faster than the disk stores them, and too many wait; "
                + "post fewer, or raise the limit")
    }
}
