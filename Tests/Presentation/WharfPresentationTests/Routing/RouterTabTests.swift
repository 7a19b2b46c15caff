import Testing
import WharfChecks
import WharfPresentation

@MainActor @Suite struct RouterTabTests {
    private let journey = Journey(
        RouterState(tabs: [RouterTab(.home), RouterTab(.collection(.new)), RouterTab(.profile)]))
    private var router: Router<AppRoute> { journey.router }

    @Test func firstTabIsSelectedAndVisible() {
        #expect(router.tab == .home && router.state.visible == .home && router.stack.isEmpty)
        #expect(Router<AppRoute>().tab == nil && Router<AppRoute>()[tab: .home].isEmpty)
    }

    @Test func eachTabKeepsItsStack() throws {
        journey.isSignedIn = true
        try router.push(.film(id: 1))
        #expect(try router.select(.profile) == .shown)
        #expect(router.stack.isEmpty && router.state.visible == .profile)
        try router.push(.film(id: 2))
        router.pop()
        try router.push(.film(id: 3))
        router.popToRoot()
        try router.select(.home)
        #expect(router.stack == [.film(id: 1)] && router[tab: .profile].isEmpty)
        #expect(
            journey.ways.suffix(2) == [[.film(id: 3), .profile], [.profile, .film(id: 1)]])
    }

    @Test func linkToATabSelectsItAndOthersArePushed() throws {
        journey.isSignedIn = true
        try router.present(.film(id: 9))
        try router.open("https://example.com/profile")
        #expect(router.tab == .profile && router.stack.isEmpty && router.modals.isEmpty)
        try router.open("https://example.com/film/7")
        #expect(router.tab == .profile && router[tab: .profile] == [.film(id: 7)])
    }

    @Test func guardHoldsATabUntilTheSignIn() throws {
        #expect(try router.select(.profile) == .held(dropped: nil))
        #expect(router.tab == .home && router.modals == [Modal(.signIn)])
        journey.isSignedIn = true
        try router.resume()
        #expect(router.tab == .profile && router.modals.isEmpty)
    }

    @Test(arguments: [AppRoute.film(id: 1), .collection(.allTime)])
    func routeThatIsNoTabIsNotSelected(route: AppRoute) throws {
        let before = router.state
        let error = try #require(throws: RoutingError.self) { try router.select(route) }
        #expect(error.code == .unknownTab && error.message.contains("not one of the tabs"))
        #expect(router.state == before && journey.events.isEmpty)
    }

    @Test func tabThatAGuardRedirectsToNoTabIsNotSelected() throws {
        let journey = Journey(RouterState(tabs: [RouterTab(.home), RouterTab(.collection(.allTime))]))
        let error = try #require(throws: RoutingError.self) { try journey.router.select(.collection(.allTime)) }
        #expect(error.code == .unknownTab && error.message.contains("film(id: 1)"))
        #expect(journey.router.tab == .home && journey.failures.isEmpty)
    }

    @Test func showReplacesTheStackOfItsTabAlone() throws {
        journey.isSignedIn = true
        try router.push(.film(id: 1))
        try router.go(.show([.film(id: 2)], tab: .profile, modals: [Modal(.film(id: 3))]))
        #expect(router.tab == .profile && router.stack == [.film(id: 2)] && router[tab: .home] == [.film(id: 1)])
        journey.forgetAsked()
        try router.go(.show([.film(id: 1), .film(id: 4)], tab: .home))
        // The route below is already there, on the current tab.
        #expect(journey.asked == [.home, .film(id: 4)] && router.modals.isEmpty)
    }

    @Test func tabBarSelectionPassesTheGuards() async throws {
        router.tab = .collection(.new)
        #expect(router.tab == .home && router.state.held?.navigation == .select(.collection(.new)))
        journey.isSignedIn = true
        try router.resume()
        #expect(router.tab == .collection(.new))
        router.tab = nil
        router.tab = .film(id: 1)
        #expect(router.tab == .collection(.new) && journey.failures.map(\.code) == [.unknownTab])
    }

    @Test func containerOfAnotherTabGoesBackWithoutSelectingIt() throws {
        journey.isSignedIn = true
        router[tab: .home] = [.film(id: 1), .film(id: 2)]
        router.tab = .profile
        journey.isSignedIn = false
        journey.forgetAsked()
        let events = journey.events.count
        router[tab: .home] = [.film(id: 1)]
        #expect(router.tab == .profile && router[tab: .home] == [.film(id: 1)] && journey.events.count == events)
        router[tab: .home] = [.film(id: 1), .film(id: 3)]
        #expect(router.tab == .home && router.stack == [.film(id: 1), .film(id: 3)])
        #expect(journey.asked == [.home, .film(id: 3)])
        router[tab: .film(id: 9)] = [.film(id: 1)]
        #expect(router.state.tabs.count == 3)
    }

    @Test func tabsAreSavedWithTheirStacksAndRestored() throws {
        journey.isSignedIn = true
        try router.push(.film(id: 1))
        try router.go(.show([.film(id: 2)], tab: .profile, modals: [Modal(.film(id: 3), style: .fullScreen)]))
        try router.push(.film(id: 4))
        let saved = router.save()
        #expect(saved.failures.isEmpty)
        #expect(
            saved.text == """
                tab https://example.com/
                push https://example.com/film/1
                selected https://example.com/profile
                push https://example.com/film/2
                cover https://example.com/film/3
                push https://example.com/film/4

                """)
        let later = Journey(RouterState(tabs: [RouterTab(.profile), RouterTab(.home)]))
        later.isSignedIn = true
        #expect(later.router.restore(saved.text) == [])
        #expect(later.router.tab == .profile && later.router[tab: .home] == [.film(id: 1)])
        #expect(later.router.stack == [.film(id: 2)])
        #expect(later.router.modals == [Modal(.film(id: 3), style: .fullScreen, stack: [.film(id: 4)])])
        // Without the sign-in all of it is held, and the other tab is shown.
        let stranger = Journey(RouterState(tabs: [RouterTab(.home), RouterTab(.profile)]))
        #expect(stranger.router.restore(saved.text) == [])
        #expect(stranger.router.tab == .home && stranger.router.modals == [Modal(.signIn)])
        #expect(stranger.router.save().text.contains("held show\nselected https://example.com/profile\n"))
        stranger.isSignedIn = true
        try stranger.router.resume()
        #expect(stranger.router.tab == .profile && stranger.router[tab: .home] == [.film(id: 1)])
        #expect(stranger.router.stack == later.router.stack && stranger.router.modals == later.router.modals)
    }

    @Test(arguments: [
        (
            "tab https://example.com/search?q=a\npush https://example.com/film/2",
            [RoutingError.Code.unknownTab, .leftOut]
        ),
        ("tab https://example.com/gone\npush https://example.com/film/2", [.unknownPath, .leftOut]),
        (
            "tab https://example.com/profile\npush https://example.com/film/2\npush https://example.com/film/666/review/a"
                + "\npush https://example.com/film/3", [.refused, .leftOut]
        ),
        ("tab https://example.com/profile\npush https://example.com/films/new", [.leftOut]),
        ("selected https://example.com/\ntab https://example.com/profile", [.invalidSavedState]),
        ("tab https://example.com/profile\nselected https://example.com/sign-in", [.unknownTab]),
        ("held show\ntab https://example.com/profile", [.invalidSavedState]),
    ])
    func badTabIsReportedAndLeftOut(text: String, codes: [RoutingError.Code]) {
        let good = "tab https://example.com/films/new\npush https://example.com/film/1\n"
        #expect(router.restore(good + text).map(\.code) == codes)
        #expect(router[tab: .collection(.new)] == [.film(id: 1)])
        #expect(router.tab == .home && router.modals.isEmpty && router.state.held == nil)
    }

    @Test func anyTabbedStateIsRestored() async throws {
        try await forAll(RouterStates.any) { state in
            let router = Router(state)
            let saved = router.save()
            try require(saved.failures.isEmpty, "\(saved.failures)")
            let later = Router(RouterState(tabs: state.tabs.map { RouterTab($0.root, stack: [.film(id: 99)]) }))
            let failures = later.restore(saved.text)
            try require(failures.isEmpty && later.state == state, "\(failures), \(later.state)")
        }
    }

    @Test func backNavigationUndoesForwardNavigation() async throws {
        try await forAll(Generator.zip(RouterStates.any, AppRoute.generator)) { state, route in
            let router = Router(state)
            for style in ModalStyle.allCases {
                try router.present(route, style: style)
                try require(router.state.visible == route, "\(router.state)")
                router.dismiss()
                try require(router.state == state, "dismiss: \(router.state)")
            }
            try router.push(route)
            router.pop()
            try require(router.state == state, "pop: \(router.state)")
            guard state.modals.isEmpty, let tab = state.tab else { return }
            for other in state.tabs {
                try router.select(other.root)
                try router.select(tab)
                try require(router.state == state, "select: \(router.state)")
            }
        }
    }
}

/// States with and without tabs, with sheets and covers.
enum RouterStates {
    private static let routes = Generator<[AppRoute]>.array(of: AppRoute.generator, count: 0...2)
    private static let modals = Generator<[Modal<AppRoute>]>.array(
        of: Generator.zip(AppRoute.generator, Generator<ModalStyle>.anyCase(), routes)
            .map { Modal($0, style: $1, stack: $2) }, count: 0...2)

    private static let tabs = Generator.zip(routes, routes, routes, .int(in: 0...2), modals).map {
        let tabs: [RouterTab<AppRoute>] = [
            RouterTab(.home, stack: $0), RouterTab(.profile, stack: $1), RouterTab(.signIn, stack: $2),
        ]
        return RouterState(tabs: tabs, tab: tabs[$3].root, modals: $4)
    }

    static let any = Generator<RouterState<AppRoute>>.oneOf(
        tabs, Generator.zip(routes, modals).map { RouterState(stack: $0, modals: $1) })
}
