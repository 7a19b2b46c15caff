import Testing
import WharfCore
import WharfRepository
import WharfTesting

/// Who stops to observe in the midst of news.
@Suite(.timeLimit(.minutes(2)))
struct LeavingTests {
    typealias Model = RepositoryLaws.Model

    /// Who leaves and who tells take two locks in opposite orders.
    @Test func leavingInTheMidstOfNewsHoldsNobodyUp() async {
        let clock = TestClock()
        let source = ScriptedSource<Model>(.models([Model(id: 1, name: "0")]), clock: clock.wall)
        let repository = RemoteRepository(source: source.source, clock: clock.wall)
        _ = await repository.snapshot(id: 1)
        for round in 0..<5_000 {
            let isReading = Gate()
            let reader = Task {
                for await _ in repository.observe(id: 1, policy: .cacheOnly) { isReading.open() }
            }
            await isReading.pass()
            clock.advance(by: .seconds(1))
            async let told: Void = repository.receive(Model(id: 1, name: "\(round)"))
            reader.cancel()
            await told
            await reader.value
        }
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).value?.name == "4999")
    }
}
