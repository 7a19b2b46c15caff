import Testing
import WharfPresentation

@MainActor @Suite struct RouterTests {
    private let journey = Journey()
    private var router: Router<AppRoute> { journey.router }

    @Test func aLinkIsPushedAndTheEventComesBefore() throws {
        let link = "https://example.com/film/42?utm_source=x"
        journey.meanwhile = { [journey] in #expect(journey.router.stack.isEmpty) }
        #expect(try router.open(link) == .shown)
        #expect(router.stack == [.film(id: 42)] && router.modal == nil && router.state.visible == .film(id: 42))
        #expect(journey.ways == [[nil, .film(id: 42)]])
        let opened = try Link(link)
        #expect(journey.events.first?.link == opened)
        #expect(journey.events.first?.link?.query == [.init("utm_source", "x")])
    }

    @Test func appChoosesTheNavigationForALink() throws {
        try router.open("https://example.com/search?q=modal")
        #expect(router.stack.isEmpty && router.modal == Modal(.search(text: "modal", page: nil)))
    }

    @Test func aLinkThatLeadsNowhereChangesNothing() throws {
        try router.push(.film(id: 1))
        let before = router.state
        for (link, code) in [("https://example.org/", RoutingError.Code.unknownHost), ("film", .malformedLink)] {
            let error = #expect(throws: RoutingError.self) { try router.open(link) }
            #expect(error?.code == code)
        }
        #expect(router.state == before && journey.events.count == 1)
    }

    @Test func eachModalHasItsOwnStack() throws {
        try router.push(.film(id: 1))
        try router.present(.search(text: "a", page: nil))
        try router.push(.film(id: 2))
        try router.present(.home)
        #expect(router.stack == [.film(id: 1)])
        #expect(router.modals == [Modal(.search(text: "a", page: nil), stack: [.film(id: 2)]), Modal(.home)])
        router.pop()
        #expect(router.modals.count == 2)
        router.dismiss()
        #expect(router.state.visible == .film(id: 2))
        router.pop()
        #expect(router.state.visible == .search(text: "a", page: nil) && router.stack == [.film(id: 1)])
        router.dismiss()
        router.dismiss()
        #expect(router.modals.isEmpty && router.state.visible == .film(id: 1))
        router.pop()
        router.pop()
        #expect(router.stack.isEmpty && router.state.visible == nil)
        #expect(
            journey.ways.suffix(3) == [
                [.film(id: 2), .search(text: "a", page: nil)], [.search(text: "a", page: nil), .film(id: 1)],
                [.film(id: 1), nil],
            ])
        #expect(journey.events.allSatisfy { $0.link == nil })
    }

    @Test func popToRootLeavesTheModalAlone() throws {
        try router.go(
            .show([.film(id: 1), .film(id: 2)], modals: [Modal(.home, stack: [.film(id: 3), .film(id: 4)])]))
        router.popToRoot()
        #expect(router.modals == [Modal(.home)] && router.stack.count == 2)
        router.dismiss()
        router.popToRoot()
        #expect(router.stack.isEmpty)
        #expect(journey.events.count == 4)
    }

    /// While an event of a navigation is handled, every other navigation is refused.
    @Test func navigationDuringANavigationIsRefused() throws {
        journey.meanwhile = { [journey] in
            #expect(throws: RoutingError.self) { try journey.router.push(.home) }
            journey.router.pop()
            journey.router.stack = []
            #expect(throws: RoutingError.self) { try journey.router.resume() }
        }
        try router.push(.film(id: 1))
        #expect(router.stack == [.film(id: 1)] && journey.events.count == 1)
        #expect(journey.failures.map(\.code) == [.alreadyNavigating, .alreadyNavigating])
        journey.meanwhile = {}
        try router.push(.film(id: 2))
        #expect(router.stack.count == 2)
    }

    @Test func navigationWithoutChangeSendsNoEvent() throws {
        router.pop()
        router.dismiss()
        router.popToRoot()
        router.stack = []
        #expect(journey.events.isEmpty)
    }
}
