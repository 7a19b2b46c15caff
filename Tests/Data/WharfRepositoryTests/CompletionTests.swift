import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// The completion-handler API: called exactly once on every path, with value and error together, on
/// the actor where the closure was formed.
struct CompletionTests {
    typealias Model = RepositoryLaws.Model

    static let failure = ReadFailure(.connectionFailed, message: "scripted")

    enum Form: CaseIterable { case model, list, singleton }

    /// A repository with a stale value and a service that does not answer.
    struct Stage {
        let gate = Gate()
        let calls = Calls<Snapshot<String>>()
        private let users: Repository<Model>
        private let me: SingletonRepository<Model>

        init() {
            let clock = TestClock()
            let source = ScriptedSource<Model>(.models([]), clock: clock.wall)
            let now = clock.wall.now()
            source.keep([Model(id: 1, name: "kept")], asOf: now - .seconds(100), staleAt: now - .seconds(40))
            source.answer(.failure(CompletionTests.failure), gate: gate)
            users = Repository(source: source.source, configuration: .init(clock: clock.wall))
            let get = source.source.get
            me = SingletonRepository(
                Repository(source: .singleton { await get(1, $0) }, configuration: .init(clock: clock.wall)))
        }

        func ask(_ form: Form) -> Cancellation {
            switch form {
            case .model: users.snapshot(id: 1) { calls.add($0.map(\.name)) }
            case .list: users.listSnapshot { calls.add($0.map { $0[0].name }) }
            case .singleton: me.snapshot { calls.add($0.map(\.name)) }
            }
        }
    }

    @Test(arguments: Form.allCases)
    func valueAndErrorComeTogetherExactlyOnce(form: Form) async {
        let stage = Stage()
        _ = stage.ask(form)
        stage.gate.open()
        let answer = await stage.calls.first()
        #expect(answer?.value == "kept" && answer?.error == Self.failure)
        #expect(await stage.calls.countWhenQuiet() == 1)
    }

    @Test(arguments: Form.allCases)
    func cancellingCallsBackExactlyOnce(form: Form) async {
        let stage = Stage()
        let cancellation = stage.ask(form)
        await stage.gate.arrivals()
        cancellation.cancel()
        cancellation.cancel()
        #expect(await stage.calls.first()?.error?.code == .cancelled)
        stage.gate.open()
        #expect(await stage.calls.countWhenQuiet() == 1)
    }

    @MainActor @Test(arguments: Form.allCases)
    func completionRunsOnTheActorOfItsClosure(form: Form) async {
        let clock = TestClock()
        let source = ScriptedSource<Model>(.models([Model(id: 1, name: "new")]), clock: clock.wall)
        let users = Repository(source: source.source, configuration: .init(clock: clock.wall))
        let get = source.source.get
        let me = SingletonRepository(
            Repository(source: .singleton { await get(1, $0) }, configuration: .init(clock: clock.wall)))
        await withCheckedContinuation { continuation in
            let done = { @MainActor @Sendable in
                MainActor.assertIsolated()
                continuation.resume()
            }
            switch form {
            case .model: users.snapshot(id: 1) { @MainActor _ in done() }
            case .list: users.listSnapshot { @MainActor _ in done() }
            case .singleton: me.snapshot { @MainActor _ in done() }
            }
        }
    }
}
