import Testing
import WharfPresentation

@MainActor @Suite struct RouterGuardTests {
    private let journey = Journey()
    private var router: Router<AppRoute> { journey.router }

    @Test func aLinkIsHeldUntilTheSignInAndThenShownOnce() throws {
        try router.push(.film(id: 1))
        let text = "https://example.com/profile?utm_source=mail"
        let link = try Link(text)
        #expect(try router.open(text) == .held(dropped: nil))
        #expect(router.stack == [.film(id: 1)] && router.modal == Modal(.signIn))
        #expect(router.state.held?.navigation == .push(.profile) && router.state.held?.link == link)
        journey.isSignedIn = true
        #expect(try router.resume() == .shown)
        #expect(router.stack == [.film(id: 1), .profile] && router.modal == nil && router.state.held == nil)
        #expect(try router.resume() == nil)
        #expect(router.stack.count == 2)
        #expect(journey.ways == [[nil, .film(id: 1)], [.film(id: 1), .signIn], [.signIn, .profile]])
        #expect(journey.events.map { $0.link?.description } == [nil, nil, link.description])
    }

    @Test func resumeDropsTheSignInWithAllThatIsOverIt() throws {
        try router.present(.home)
        try router.open("https://example.com/profile")
        try router.push(.film(id: 1))
        try router.present(.film(id: 2))
        journey.isSignedIn = true
        try router.resume()
        #expect(router.modals == [Modal(.home, stack: [.profile])])
    }

    @Test func dismissedSignInKeepsTheHeldLink() throws {
        try router.open("https://example.com/profile")
        router.modal = nil
        #expect(router.state.held != nil)
        try router.present(.home)
        journey.isSignedIn = true
        try router.resume()
        #expect(router.modals == [Modal(.home, stack: [.profile])])
    }

    @Test func heldNavigationMayShowNoSignIn() throws {
        #expect(try router.push(.collection(.new)) == .held(dropped: nil))
        #expect(router.state.visible == nil && journey.events.isEmpty)
        journey.isSignedIn = true
        try router.resume()
        #expect(router.stack == [.collection(.new)])
    }

    @Test func newestNavigationIsHeldAndThePreviousReturned() throws {
        try router.push(.collection(.new))
        let first = router.state.held
        #expect(try router.open("https://example.com/profile") == .held(dropped: first))
        let second = router.state.held
        #expect(try router.present(.profile) == .held(dropped: second))
        #expect(router.modals == [Modal(.signIn)] && router.state.held?.navigation == .present(.profile))
        journey.isSignedIn = true
        try router.resume()
        #expect(router.modals == [Modal(.profile)] && router.stack.isEmpty)
    }

    @Test func resumeBeforeTheSignInHoldsTheLinkAgain() throws {
        try router.open("https://example.com/profile")
        let before = router.state
        #expect(try router.resume() == .held(dropped: nil))
        #expect(router.state == before && journey.events.count == 1)
    }

    @Test func dropHeldDiscardsTheHeldNavigation() throws {
        #expect(router.dropHeld() == nil)
        try router.open("https://example.com/profile")
        #expect(router.dropHeld()?.navigation == .push(.profile))
        #expect(router.modal == nil && router.state.held == nil)
        journey.isSignedIn = true
        #expect(try router.resume() == nil)
    }

    @Test func heldNavigationRefusedOnResumeIsDropped() throws {
        let stack: [AppRoute] = [.profile, .review(film: 666, author: "a")]
        #expect(try router.go(.show(stack)) == .held(dropped: nil))
        journey.isSignedIn = true
        let error = #expect(throws: RoutingError.self) { try router.resume() }
        #expect(error?.code == .refused)
        #expect(router.state == RouterState())
        #expect(journey.ways.last == [.signIn, nil])
    }

    @Test func aRedirectTakesThePlaceOfARoute() throws {
        try router.open("https://example.com/film/popular")
        #expect(router.stack == [.film(id: 1)])
        #expect(journey.ways == [[nil, .film(id: 1)]])
        #expect(journey.asked == [.collection(.allTime), .film(id: 1)])
        try router.go(.show([.home, .collection(.allTime)], modals: [Modal(.home, stack: [.collection(.allTime)])]))
        #expect(router.stack == [.home, .film(id: 1)] && router.modal == Modal(.home, stack: [.film(id: 1)]))
    }

    @Test(arguments: [-1, -2, -1_000]) func endlessRedirectsAreDetected(id: Int) throws {
        let error = #expect(throws: RoutingError.self) { try router.push(.film(id: id)) }
        #expect(error?.code == .redirectLoop && error?.message.contains("film(id: \(id < -9 ? -1_032 : id))") == true)
        // A cycle is found when it closes, and an endless chain by its length.
        #expect(journey.asked.count == (id < -9 ? 32 : 2))
        #expect(router.state == RouterState() && journey.events.isEmpty)
    }

    @Test func refusalHasItsReason() throws {
        let error = #expect(throws: RoutingError.self) { try router.push(.review(film: 666, author: "a")) }
        #expect(error?.code == .refused && error?.message.contains("nobody may see it") == true)
        #expect(router.state == RouterState() && journey.events.isEmpty)
    }

    @Test func theFirstGuardThatDoesNotAllowDecides() throws {
        var asked: [String] = []
        let router = Router<AppRoute>(guards: [
            { _ in
                asked.append("first")
                return .allow
            },
            { route in
                asked.append("second")
                return route == .home ? .redirect(to: .profile) : .allow
            },
            { _ in
                asked.append("third")
                return .allow
            },
        ])
        try router.push(.home)
        #expect(router.stack == [.profile] && asked == ["first", "second", "first", "second", "third"])
    }

    @Test func guardsSetLaterCheckLaterNavigation() throws {
        let router = Router<AppRoute>()
        try router.push(.profile)
        router.guards = [{ $0 == .profile ? .refuse("signed out") : .allow }]
        #expect(router.stack == [.profile])
        let error = try #require(throws: RoutingError.self) { try router.present(.profile) }
        #expect(error.code == .refused && error.message.contains("signed out"))
        router.guards.append { $0 == .home ? .redirect(to: .film(id: 1)) : .allow }
        try router.push(.home)
        #expect(router.stack == [.profile, .film(id: 1)])
    }

    @Test func guardsSetByAGuardApplyFromTheNextNavigation() throws {
        let router = Router<AppRoute>()
        router.guards = [
            { [unowned router] _ in
                router.guards = [{ _ in .refuse("the second") }]
                return .allow
            }
        ]
        try router.go(.show([.home, .film(id: 1)]))
        #expect(router.stack == [.home, .film(id: 1)])
        #expect(throws: RoutingError.self) { try router.push(.home) }
    }
}
