import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfRepository
import WharfStorage
import WharfStores

/// A service, a store that outlives processes, and the processes that a test starts over it.
final class OutboxStage: Sendable {
    typealias Note = WriteLaws.Note

    /// One launch of an app.
    struct Process: Sendable {
        let notes: Repository<Note>
        let outbox: OutboxEngine

        func end() async {
            notes.close()
            await outbox.close()
        }
    }

    static let notes = EntityKind("note", codec: Note.codec)
    /// The same for a service that may assign ids.
    static let identified = notes.identifying { Note(id: $1, title: $0.title, text: $0.text) }

    static let unreachable = ReadFailure(.connectionFailed, message: "scripted: nobody listens")
    let clock = TestClock()
    let connectivity = TestConnectivity(isOnline: true)
    let store = MemoryWriteStore()
    let service: ScriptedOrigin<Note>
    let incidents = IncidentLog()
    let keys = Mutex<[IdempotencyKey?]>([])

    init(_ models: [Note] = [Note(id: 1, title: "one", text: "first")]) {
        service = ScriptedOrigin(models, clock: clock.wall)
    }

    /// The service. It records the idempotency key of each change.
    var source: RemoteSource<Note> {
        guard let write = service.source.write else { return service.source }
        return service.source.writing { [self] change, key in
            keys.withLock { $0.append(key) }
            return await write(change, key)
        }
    }

    func begin(
        _ source: RemoteSource<Note>? = nil, in store: (any WriteStore)? = nil, kind: EntityKind<Note> = notes,
        isDelivering: Bool = true
    ) -> Process {
        let store = store ?? self.store
        var delivery = OutboxEngine.Configuration(connectivity: connectivity, clock: clock.wall, timer: clock)
        delivery.onIncident = incidents.handler
        let outbox = OutboxEngine(store: store, configuration: delivery)
        var configuration = RepositoryConfiguration(clock: clock.wall, timer: clock)
        configuration.onIncident = incidents.handler
        let notes = Repository(
            kind, in: store, remote: source ?? self.source, outbox: outbox, configuration: configuration)
        if let destination = notes.destination, isDelivering { outbox.register(destination) }
        outbox.start()
        return Process(notes: notes, outbox: outbox)
    }

    /// The last failures of the deliveries that were attempted and wait.
    func failures() async -> [DeliveryFailure] {
        do {
            return try await store.records(of: nil, after: nil, limit: 10).flatMap(\.states.values).compactMap {
                state in
                if case .pending(_, _, let failure) = state { failure } else { nil }
            }
        } catch {
            return []
        }
    }

    /// Returns when no delivery is pending. The suite's time limit ends a wait that never succeeds.
    func settled() async throws {
        try await waitUntil { try await store.counts(of: nil).pending.isEmpty }
    }

    /// Advances the clock to each deadline while `body` runs, so that backoff ends at once.
    func whileTimePasses<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let passing = Task {
            while !Task.isCancelled {
                if let next = clock.nextDeadline { clock.advance(to: next) }
                await Task.yield()
            }
        }
        defer { passing.cancel() }
        return try await body()
    }

    /// Makes the network and the service available again.
    func reconnect() {
        service.failWrites(nil)
        connectivity.turn(online: true)
    }
}
