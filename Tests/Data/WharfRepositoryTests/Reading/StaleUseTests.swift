import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// The stale values that may be used if a service is unreachable (RFC 9111 §4.2.4, §5.2.2).
@Suite struct StaleUseTests {
    typealias Model = RepositoryLaws.Model

    private static let kept = Model(id: 1, name: "kept")

    /// Reads a value with the directives, and again an hour later, when the service is unreachable.
    private static func readAfterFailure(_ cacheControl: String, isStored: Bool) async -> Snapshot<Model> {
        let clock = TestClock()
        let network = ScriptedSource(.models([kept]), clock: clock.wall)
        let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: cacheControl, .setCookie: "a=1"])
        let source = RemoteSource<Model> { id, mode in
            let answer = await network.source.get(id, mode)
            guard let kept = answer.kept else { return answer }
            return Snapshot(
                kept: .init(
                    value: kept.value, source: kept.source, asOf: kept.asOf, staleAt: kept.staleAt, response: head),
                error: answer.error)
        }
        let repository: any ReadableRepository<Model> =
            isStored
            ? Repository(.models, in: MemoryEntityStore(), remote: source, configuration: .init(clock: clock.wall))
            : Repository(source: source, configuration: .init(clock: clock.wall))
        #expect(await repository.snapshot(id: 1).value == kept)
        clock.advance(by: .seconds(3_600))
        network.answer(.failure(ReadFailure(.connectionFailed, message: "scripted")))
        return await repository.snapshot(id: 1, policy: .networkFirst)
    }

    @Test(
        arguments: [
            "no-cache=\"Set-Cookie\"", "max-age=60, no-cache=\"Set-Cookie, X-A\"",
            "ext=\"a, no-cache, must-revalidate, b\"",
        ], [true, false])
    func valueWithQualifiedNoCacheIsServedOnFailure(cacheControl: String, isStored: Bool) async {
        let snapshot = await Self.readAfterFailure(cacheControl, isStored: isStored)
        #expect(snapshot.value == Self.kept && snapshot.error?.code == .connectionFailed)
    }

    @Test(arguments: ["no-cache", "no-cache=\"Set-Cookie\", no-cache", "max-age=60, must-revalidate"])
    func aValueThatMustBeValidatedIsNotServedOnFailure(cacheControl: String) async {
        let snapshot = await Self.readAfterFailure(cacheControl, isStored: false)
        #expect(snapshot.value == nil && snapshot.error?.code == .connectionFailed)
    }
}
