internal import Synchronization
internal import WharfCore
internal import WharfJSON
internal import WharfPrimitives

extension Analytics {
    /// Entries of all sinks are in one lane, so that they go in batches and in order.
    static let lane = "analytics"

    /// One for all sinks that get the same bytes.
    func entries(for event: TrackedEvent, at now: WallTime) throws(AnalyticsError) -> [OutboxEntry] {
        guard let event = stages.process(event) else { return [] }
        var payloads: [(bytes: [UInt8], targets: [OutboxEntry.Target])] = []
        for destination in destinations {
            guard let own = destination.stages.process(event) else { continue }
            let bytes = try own.payload()
            if let place = payloads.firstIndex(where: { $0.bytes == bytes }) {
                payloads[place].targets.append(.init(destination.name))
            } else {
                payloads.append((bytes, [.init(destination.name)]))
            }
        }
        return payloads.map { payload in
            OutboxEntry(
                id: outbox.newID(), account: account, lane: Self.lane, kind: AnalyticsDestination.kind,
                payload: payload.bytes, deliveryClass: deliveryClass, targets: payload.targets, enqueuedAt: now)
        }
    }

    /// Until nothing waits.
    func write() async {
        while true {
            let (items, commitEnd) = queue.withLock { $0.next() }
            commitEnd?.fulfil()
            guard !items.isEmpty else { return }
            do throws(StoreError) {
                _ = try await outbox.enqueue(items.flatMap(\.entries), changing: [])
                for item in items { finish(item, .success(.kept(id: item.id))) }
                await keepDeadLettersWithinLimit()
            } catch {
                for item in items { finish(item, .failure(.notStored(error))) }
            }
        }
    }
}

extension TrackedEvent {
    /// - Throws: ``AnalyticsError/Code/notEncodable``: a stage has added what JSON can't express.
    func payload() throws(AnalyticsError) -> [UInt8] {
        do throws(JSONError) {
            return try JSON.encode(self)
        } catch {
            throw AnalyticsError(
                .notEncodable, message: "expected that \"\(name)\" can be written as JSON: \(error)", cause: error)
        }
    }
}

extension AnalyticsError {
    static func notStored(_ error: StoreError) -> Self {
        Self(.storeFailed, message: "expected the outbox to take the event, found \(error)", cause: error)
    }

    static var crowdedOut: Self {
        Self(
            .crowdedOut,
            message: "expected the disk to take events as fast as they are posted, found more than may wait for it; "
                + "post fewer, or raise the limit")
    }
}
