import Synchronization
import Testing
import WharfCache
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes

/// Interim responses and trailers, which the cache passes on and does not store.
@Suite struct AroundTests {
    private static let hint = HTTPResponse(status: .init(code: 103), headerFields: [.via: "hint"])

    private func answer(_ text: String, _ fields: HTTPFields) -> StubAnswer {
        var answer = StubAnswer.ok(text, fields: fields)
        answer.interim = [Self.hint]
        answer.trailers = [.via: "trailer"]
        return answer
    }

    private func read(
        _ rig: Rig
    ) async throws -> (text: String, heads: Int, trailers: HTTPFields?, provenance: Provenance) {
        let heads = Mutex(0)
        var request = get()
        request.onInterim = { _ in heads.withLock { $0 += 1 } }
        let (response, text) = try await rig.read(request)
        await rig.cache.revalidationsEnd()
        return (text, heads.withLock { $0 }, response.body.trailers, response.provenance)
    }

    static let laws = TransportLaws.all.filter { law in
        ["interim responses are passed on", "trailers are readable"].contains { law.name.hasPrefix($0) }
    }

    @Test func theLawsExist() { #expect(Self.laws.count == 2) }

    @Test(arguments: laws)
    func aCacheKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(
            .overStub("CachingTransport") { base in
                CachingTransport(base, store: MemoryCacheStore()) { Issue.record("\($0.message)") }
            })
    }

    @Test func storedAnswerHasNeither() async throws {
        let rig = Rig(answer("new", [.cacheControl: "max-age=60"]))
        let new = try await read(rig)
        #expect(new.text == "new" && new.heads == 1 && new.trailers == [.via: "trailer"])
        let stored = try await read(rig)
        #expect(stored.text == "new" && stored.heads == 0 && stored.trailers == nil)
    }

    /// A stale response could replace a failure, so the body is buffered before its head.
    @Test func trailersOfABufferedBodyArePassedOn() async throws {
        let rig = Rig(answer("old", [.cacheControl: "max-age=0"]), answer("new", [.cacheControl: "max-age=0"]))
        _ = try await read(rig)
        let new = try await read(rig)
        #expect(new.text == "new" && new.heads == 1 && new.trailers == [.via: "trailer"])
    }

    @Test func revalidationInTheBackgroundPassesNothingOn() async throws {
        let fields: HTTPFields = [.cacheControl: "max-age=0, stale-while-revalidate=60"]
        let rig = Rig(answer("old", fields), answer("new", fields))
        _ = try await read(rig)
        rig.clock.advance(by: .seconds(1))
        let stale = try await read(rig)
        #expect(stale.text == "old" && stale.heads == 0 && stale.trailers == nil)
        #expect(rig.origin.requests.count == 2)
    }
}
