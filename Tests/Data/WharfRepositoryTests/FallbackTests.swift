import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository

/// The example of the article: the second service answers if the first fails.
@Suite struct FallbackTests {
    typealias Model = RepositoryLaws.Model

    private let clock = TestClock()
    private let primary: ScriptedSource<Model>
    private let mirror: ScriptedSource<Model>
    private let source: RemoteSource<Model>

    private static let mine = Model(id: 1, name: "primary's")
    private static let theirs = Model(id: 1, name: "mirror's")

    private static func failure(_ code: ReadFailure.Code, _ status: Int? = nil) -> ReadFailure {
        ReadFailure(
            code, message: "scripted", response: status.map { HTTPResponse(status: .init(code: $0)) })
    }

    init() {
        primary = ScriptedSource(.models([Self.mine]), clock: clock.wall)
        mirror = ScriptedSource(.models([Self.theirs]), clock: clock.wall)
        source = .first(of: [("primary", primary.source), ("mirror", mirror.source)])
    }

    @Test func mirrorIsNotAskedWhilePrimaryAnswers() async {
        let snapshot = await source.get(1, .normal)
        #expect(snapshot.value == Self.mine)
        #expect(snapshot.kept?.remote == "primary")
        #expect(mirror.requests == 0)
    }

    @Test(arguments: [
        failure(.connectionFailed), failure(.timedOut), failure(.status, 503), failure(.undecodable),
        failure(.unmappable),
    ])
    func theSecondAnswersWhenTheFirstFails(_ failure: ReadFailure) async {
        primary.answer(.failure(failure))
        let repository = Repository(source: source, configuration: .init(clock: clock.wall))
        let snapshot = await repository.snapshot(id: 1)
        #expect(snapshot.value == Self.theirs && snapshot.error == nil)
        #expect(snapshot.kept?.remote == "mirror" && snapshot.kept?.source == .network)
        #expect(await repository.listSnapshot().value == [Self.theirs])
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).kept?.remote == "mirror")
    }

    @Test(arguments: [401, 404, 410])
    func clientErrorOfPrimaryDoesNotAskMirror(_ status: Int) async {
        primary.answer(.failure(Self.failure(.status, status)))
        let snapshot = await source.get(1, .normal)
        #expect(snapshot.kept == nil && snapshot.error?.response?.status.code == status)
        #expect(mirror.requests == 0)
    }

    @Test func newestKeptValueIsServedWhenAllSourcesFail() async {
        let now = clock.wall.now()
        primary.keep([Self.mine], asOf: now - .seconds(90), staleAt: now)
        mirror.keep([Self.theirs], asOf: now - .seconds(50), staleAt: now)
        primary.answer(.failure(Self.failure(.timedOut)))
        mirror.answer(.failure(Self.failure(.connectionFailed)))
        let snapshot = await source.get(1, .reload)
        #expect(snapshot.value == Self.theirs && snapshot.kept?.remote == "mirror")
        #expect(snapshot.error?.code == .timedOut && snapshot.error?.others.map(\.code) == [.connectionFailed])
        #expect(snapshot.error?.description == "timedOut: scripted; connectionFailed: scripted")
    }

    @Test func storedOnlyReadLooksInEverySource() async {
        let now = clock.wall.now()
        mirror.keep([Self.theirs], asOf: now, staleAt: now)
        #expect(await source.get(1, .storedOnly).value == Self.theirs)
        #expect(await source.get(2, .storedOnly).error?.code == .nothingKept)
        #expect(primary.requests == 0 && mirror.requests == 0)
    }

    @Test func observeCallsEachSourceOnce() async {
        primary.answer(.failure(Self.failure(.timedOut)))
        let repository = Repository(source: source, configuration: .init(clock: clock.wall))
        for await snapshot in repository.observe(id: 1) where snapshot.value == Self.theirs { break }
        for await snapshot in repository.observeList() where snapshot.value == [Self.theirs] { break }
        #expect(primary.calls == 2 && mirror.calls == 2)
    }

    /// The look has ended at the primary, so the mirror has no call to continue.
    @Test func mirrorIsAskedAfterALookThatThePrimaryHasAnswered() async {
        let now = clock.wall.now()
        primary.keep([Self.mine], asOf: now - .seconds(9), staleAt: now)
        primary.answer(.failure(Self.failure(.undecodable)))
        let repository = Repository(source: source, configuration: .init(clock: clock.wall))
        for await snapshot in repository.observe(id: 1) where snapshot.value == Self.theirs { break }
        #expect(primary.calls == 1 && mirror.calls == 1)
        #expect(mirror.modes == [.reload])
    }

    @Test func laterPagesComeFromTheSourceOfTheFirstPage() async throws {
        let first = PagedOrigin(.offset, ids: 1...6, clock: clock.wall)
        let second = PagedOrigin(.cursor, ids: 1...6, clock: clock.wall)
        let source = RemoteSource<Model>.first(of: [
            ("one", self.primary.source), ("two", first.source), ("three", second.source),
        ])
        let repository = Repository(source: source, configuration: .init(clock: clock.wall))
        let list = repository.pages(size: 2)
        first.fail(Self.failure(.timedOut))
        await list.refresh()
        #expect(list.snapshot.kept?.remote == "three" && list.error == nil)
        first.fail(nil)
        await list.loadMore()
        #expect(list.ids == [6, 5, 4, 3])
        #expect(first.tokens == [nil] && second.tokens == [nil, .cursor("5")])
        await list.refresh()
        #expect(list.ids == [6, 5, 4, 3] && list.snapshot.kept?.remote == "two")
        #expect(first.tokens == [nil, nil, .offset(2)])
        let page = try #require(source.page)
        for token in [PageToken.offset(2), .cursor("5"), .cursor("5:threx"), .cursor("3:two")] {
            let answer = await page(PageQuery(size: 2, token: token), .normal)
            #expect(answer.error?.code == .invalidRequest)
        }
    }

    @Test func emptySourceListFailsAsUnsupported() async {
        let nothing = RemoteSource<Model>.first(of: [])
        #expect(await nothing.get(1, .normal).error?.code == .unsupported)
        #expect(nothing.list == nil && nothing.page == nil)
    }
}
