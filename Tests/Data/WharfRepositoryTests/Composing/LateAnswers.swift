import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// A source that answers when the test opens its gate, and clocks that the test moves.
struct LateAnswers: Sendable {
    typealias Model = RepositoryLaws.Model

    /// The kind of repository to which the deadline is added.
    enum Base: CaseIterable, Sendable {
        case remote, stored
    }

    static let old = Model(id: 1, name: "old")
    static let new = Model(id: 1, name: "new")
    static let popular = Model(id: 1, name: "popular")

    let clock = TestClock()
    let source: ScriptedSource<Model>
    let others: ScriptedSource<Model>
    let base: any ReadableRepository<Model>

    init(_ base: Base = .remote) {
        source = ScriptedSource(.models([Self.old]), clock: clock.wall)
        others = ScriptedSource(.models([Self.popular]), clock: clock.wall)
        self.base =
            switch base {
            case .remote: Repository(source: source.source, configuration: .init(clock: clock.wall))
            case .stored:
                Repository(
                    .models, in: MemoryEntityStore(), remote: source.source, configuration: .init(clock: clock.wall))
            }
    }

    var hurried: any ReadableRepository<Model> { base.within(.seconds(1), clock: clock.wall, timer: clock) }

    var row: any ReadableRepository<Model> {
        hurried.orElse(Repository(source: others.source, configuration: .init(clock: clock.wall)), named: "popular")
    }

    /// Makes the source answer with the new model once the returned gate is open.
    func holdUp() -> Gate {
        let gate = Gate()
        source.answer(.models([Self.new]), gate: gate)
        return gate
    }

    /// Runs a read whose deadline passes before its answer arrives.
    func late<Value: Sendable>(
        _ gate: Gate, arrivals: Int = 1, _ read: @escaping @Sendable () async -> Snapshot<Value>
    ) async -> Snapshot<Value> {
        let reading = Task { await read() }
        await clock.untilSleeping()
        await gate.arrivals(arrivals)
        clock.advance(by: .seconds(1))
        return await reading.value
    }

    /// The first snapshot given to an observer that satisfies the predicate.
    func reported<Value>(
        _ snapshots: inout SnapshotSequence<Value>.AsyncIterator, where isWanted: (Snapshot<Value>) -> Bool
    ) async -> Snapshot<Value>? {
        while let next = await snapshots.next(isolation: nil) {
            if isWanted(next) { return next }
        }
        return nil
    }
}
