import Testing
import WharfChecks
import WharfCombine
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// Publishers over a real repository.
struct RepositoryPublisherTests {
    typealias Model = RepositoryLaws.Model

    struct Stage {
        let source: ScriptedSource<Model>
        let users: Repository<Model>

        init() {
            let clock = TestClock()
            source = ScriptedSource(.failure(.scripted), clock: clock.wall)
            let now = clock.wall.now()
            source.keep([Model(id: 1, name: "kept")], asOf: now - .seconds(100), staleAt: now - .seconds(40))
            users = Repository(source: source.source, configuration: .init(clock: clock.wall))
        }
    }

    @Test func publisherGivesValueWithErrorAndContinues() async throws {
        let stage = Stage()
        let recorder = Recorder<Snapshot<Model>, Never>(.unlimited)
        stage.users.publisher(id: 1).subscribe(recorder)
        try await until("the failure") { recorder.values.last?.error == .scripted }
        #expect(recorder.values.last?.value?.name == "kept")
        await stage.users.receive(Model(id: 1, name: "pushed"))
        try await until("the push") { recorder.values.last?.value?.name == "pushed" }
        #expect(recorder.ends.isEmpty)
        recorder.cancel()
    }

    @Test func publisherUsesTheGivenPolicy() async throws {
        let stage = Stage()
        let one = Recorder<Snapshot<Model>, Never>(.unlimited)
        let list = Recorder<Snapshot<[Model]>, Never>(.unlimited)
        stage.users.publisher(id: 1, policy: .cacheOnly).subscribe(one)
        stage.users.listPublisher(policy: .cacheOnly).subscribe(list)
        try await one.events(1)
        try await list.events(1)
        #expect(one.values[0].value?.name == "kept" && list.values[0].value?.map(\.name) == ["kept"])
        #expect(stage.source.requests == 0)
        one.cancel()
        list.cancel()
    }

    @Test func cancelledSubscriberIsNoLongerRefreshed() async throws {
        let stage = Stage()
        let recorder = Recorder<Snapshot<Model>, Never>(.unlimited)
        stage.users.publisher(id: 1).subscribe(recorder)
        try await until("the failure") { recorder.values.last?.error == .scripted }
        var before = stage.source.requests
        await stage.users.refreshObserved()
        #expect(stage.source.requests == before + 1)
        recorder.cancel()
        // The observation ends once its task has noticed the cancellation.
        repeat {
            before = stage.source.requests
            await settle()
            await stage.users.refreshObserved()
        } while stage.source.requests > before
    }

    @Test func closingTheRepositoryCompletesThePublisher() async throws {
        let stage = Stage()
        let recorder = Recorder<Snapshot<Model>, Never>(.unlimited)
        stage.users.publisher(id: 1).subscribe(recorder)
        try await recorder.events(1)
        stage.users.close()
        try await until("the end") { recorder.ends.count == 1 }
    }

    /// A closure formed on the main actor checks its executor, and would crash anywhere else.
    @MainActor @Test func sinkMadeOnTheMainActorIsCalledThere() async throws {
        let stage = Stage()
        var seen: [String] = []
        var end: ReadFailure?
        let token = stage.users.valuePublisher(id: 1).sink { completion in
            MainActor.assertIsolated()
            if case .failure(let failure) = completion { end = failure }
        } receiveValue: { user in
            MainActor.assertIsolated()
            seen.append(user.name)
        }
        try await until("the failure") { end != nil }
        #expect(seen == ["kept"] && end == .scripted)
        token.cancel()
    }

    @Test func demandFromManyThreadsAddsUp() async throws {
        let endless = SnapshotSequence<Model> {
            AsyncStream { .named("a") }
        }
        let recorder = Recorder<Snapshot<Model>, Never>()
        endless.publisher().subscribe(recorder)
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { @concurrent in
                    for _ in 0..<20 { recorder.request(.max(1)) }
                }
            }
        }
        try await recorder.events(1_000)
        await settle()
        #expect(recorder.values.count == 1_000)
        recorder.cancel()
    }

    @Test func cancelFromAnotherThreadStopsDelivery() async throws {
        for _ in 0..<100 {
            let endless = SnapshotSequence<Model> {
                AsyncStream { .named("a") }
            }
            let recorder = Recorder<Snapshot<Model>, Never>()
            endless.publisher().subscribe(recorder)
            async let requests: Void = recorder.request(.unlimited)
            async let cancellation: Void = recorder.cancel()
            _ = await (requests, cancellation)
            // At most the value in flight arrives.
            await settle()
            let count = recorder.values.count
            await settle()
            // One value may have been taken from the sequence and not be delivered yet.
            #expect(recorder.values.count <= count + 1 && recorder.ends.isEmpty)
        }
    }
}
