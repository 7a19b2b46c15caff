import Testing
import WharfChecks
import WharfPresentation

@MainActor @Suite struct RouterSavingTests {
    private let journey = Journey()
    private var router: Router<AppRoute> { journey.router }

    @Test func shownRoutesAreSavedAsLinksAndRestored() throws {
        try router.go(
            .show(
                [.film(id: 1), .review(film: 1, author: "a/b")],
                modals: [Modal(.home, stack: [.film(id: 2)]), Modal(.film(id: 3))]))
        let saved = router.save()
        #expect(saved.failures.isEmpty)
        #expect(
            saved.text == """
                push https://example.com/film/1
                push https://example.com/film/1/review/a%2Fb
                modal https://example.com/
                push https://example.com/film/2
                modal https://example.com/film/3

                """)
        let later = Journey()
        try later.router.push(.home)
        #expect(later.router.restore(saved.text) == [])
        #expect(later.router.state == router.state)
        #expect(later.ways.last == [.home, .film(id: 3)])
    }

    @Test func anyShownStateIsRestored() async throws {
        let routes = Generator<[AppRoute]>.array(of: AppRoute.generator, count: 0...3)
        let modals = Generator<[Modal<AppRoute>]>.array(
            of: Generator.zip(AppRoute.generator, routes).map { Modal($0, stack: $1) }, count: 0...2)
        try await forAll(Generator.zip(routes, modals)) { input in
            let (stack, modals) = input
            let state = RouterState(stack: stack, modals: modals)
            let saved = Router(state).save()
            try require(saved.failures.isEmpty, "\(saved.failures)")
            for text in [saved.text, saved.text.replacing("\n", with: "\r\n")] {
                let router = Router<AppRoute>()
                let failures = router.restore(text)
                try require(failures.isEmpty && router.state == state, "\(failures), \(router.state)")
            }
        }
    }

    @Test func heldNavigationIsSavedWithoutItsSignIn() throws {
        try router.push(.film(id: 1))
        try router.present(.profile)
        let saved = router.save()
        #expect(
            saved.text == """
                push https://example.com/film/1
                held present
                push https://example.com/profile

                """)
        let later = Journey()
        #expect(later.router.restore(saved.text) == [])
        #expect(later.router.state == router.state)
        let signedIn = Journey()
        signedIn.isSignedIn = true
        #expect(signedIn.router.restore(saved.text) == [])
        #expect(signedIn.router.modals == [Modal(.profile)] && signedIn.router.state.held == nil)
    }

    @Test func everyKindOfNavigationIsHeldAcrossARestart() throws {
        for navigation in [
            Navigation<AppRoute>.push(.profile), .present(.profile), .show([.film(id: 1), .profile]),
            .show([], modals: [Modal(.film(id: 1), stack: [.profile])]),
        ] {
            let journey = Journey()
            try journey.router.go(navigation)
            let later = Journey()
            #expect(later.router.restore(journey.router.save().text) == [])
            #expect(later.router.state.held?.navigation == navigation)
            later.isSignedIn = true
            try later.router.resume()
            #expect(later.router.state.visible == .profile && later.router.state.held == nil)
        }
    }

    @Test func restoredStateIsGuardedAndHeldAsAWhole() throws {
        journey.isSignedIn = true
        try router.go(.show([.film(id: 1), .profile, .film(id: 2)], modals: [Modal(.home)]))
        let signedIn = router.state
        let later = Journey()
        #expect(later.router.restore(router.save().text) == [])
        #expect(later.router.stack == [.film(id: 1)] && later.router.modals == [Modal(.signIn)])
        later.isSignedIn = true
        try later.router.resume()
        #expect(later.router.state == signedIn)
    }

    @Test func routeWithoutLinkIsReportedWithThoseOverIt() throws {
        try router.go(.show([.film(id: 1), .debug, .film(id: 2)], modals: [Modal(.home)]))
        let saved = router.save()
        #expect(saved.text == "push https://example.com/film/1\n")
        #expect(saved.failures.map(\.code) == [.noLink, .leftOut, .leftOut])
        try router.go(.show([.film(id: 1), .collection(.new), .debug]))
        #expect(router.save().failures.map(\.code) == [.noLink, .leftOut, .leftOut, .noLink])
        // A part of the held navigation would lead to another place, so nothing of it is saved.
        #expect(router.save().text == saved.text)
    }

    @Test(arguments: [
        (
            "push https://example.com/film/1\npush https://example.com/gone\npush https://example.com/film/2",
            [.unknownPath, .leftOut]
        ),
        (
            "push https://example.com/film/1\npush https://example.com/film/1/review/x%",
            [RoutingError.Code.malformedEscape]
        ),
        ("push https://example.com/film/1\nput https://example.com/film/2\n", [.invalidSavedState]),
        ("push https://example.com/film/1\npush\n", [.invalidSavedState]),
        (
            "push https://example.com/film/1\npush https://example.com/film/666/review/a\nmodal https://example.com/",
            [.leftOut]
        ),
        ("push https://example.com/film/1\nheld away\npush https://example.com/film/2", [.invalidSavedState]),
        ("push https://example.com/film/1\nheld push\n", [.invalidSavedState]),
        ("push https://example.com/film/1\nheld push\npush https://example.org/", [.unknownHost]),
        ("push https://example.com/film/1\nheld push\npush https://example.com/film/666/review/a", [.refused]),
    ])
    func unrestorableRouteIsReportedWithThoseOverIt(text: String, codes: [RoutingError.Code]) throws {
        let expected = text.contains("modal") ? [.refused] + codes : codes
        #expect(router.restore(text).map(\.code) == expected)
        #expect(router.stack == [.film(id: 1)] && router.modals.isEmpty && router.state.held == nil)
    }

    @Test func leftOutErrorHasItsCause() throws {
        let debug = Modal<AppRoute>(.debug, stack: [.film(id: 1)])
        let saved = Router<AppRoute>(RouterState(stack: [.home], modals: [debug])).save()
        let unknown = router.restore("push https://example.com/gone\npush https://example.com/film/2")
        let refused = router.restore("push https://example.com/film/666/review/a\npush https://example.com/film/2")
        for (failures, code) in [
            (saved.failures, RoutingError.Code.noLink), (unknown, .unknownPath), (refused, .refused),
        ] {
            #expect(failures.map(\.code) == [code, .leftOut])
            #expect(failures[1].cause as? RoutingError == failures[0] && failures[0].cause == nil)
        }
    }

    @Test func onlyOneNavigationIsHeldAtATime() throws {
        let failures = router.restore("push https://example.com/profile\nheld push\npush https://example.com/films/new")
        #expect(failures.map(\.code) == [.leftOut])
        #expect(router.state.held?.navigation == .show([.profile]))
        #expect(router.restore("").map(\.code) == [.leftOut])
        #expect(router.state == RouterState())
    }

    @Test func emptySavedStateRestoresNothing() {
        #expect(router.save() == Router<AppRoute>().save() && router.save().text.isEmpty)
        #expect(router.restore("") == [] && router.state == RouterState() && journey.events.isEmpty)
    }
}
