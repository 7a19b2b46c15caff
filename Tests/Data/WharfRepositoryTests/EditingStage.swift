import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// A service, and apps that edit its notes with an outbox or without.
struct EditingStage: Sendable {
    typealias Note = WriteLaws.Note

    enum Way: CaseIterable, Sendable { case direct, outbox }

    struct App: Sendable {
        let notes: Repository<Note>
        let end: @Sendable () async -> Void
    }

    let outbox: OutboxStage

    init(_ models: [Note]) { outbox = OutboxStage(models) }

    var service: ScriptedOrigin<Note> { outbox.service }

    /// - Parameter source: the source of the app's repository, or nil for the service.
    func app(
        _ way: Way, source: RemoteSource<Note>? = nil, kind: EntityKind<Note> = OutboxStage.notes
    ) -> App {
        switch way {
        case .direct:
            let notes = Repository(
                kind, in: MemoryEntityStore(), remote: source ?? service.source,
                configuration: .init(clock: outbox.clock.wall))
            return App(notes: notes) { notes.close() }
        case .outbox:
            let process = outbox.begin(source, kind: kind)
            return App(notes: process.notes) { await process.end() }
        }
    }
}
