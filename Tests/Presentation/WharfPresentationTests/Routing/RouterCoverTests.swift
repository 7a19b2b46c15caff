import Testing
import WharfPresentation

@MainActor @Suite struct RouterCoverTests {
    private let journey = Journey()
    private var router: Router<AppRoute> { journey.router }

    @Test func coverOfTheWholeScreenIsAModalWithAStyle() throws {
        try router.present(.film(id: 1), style: .fullScreen)
        try router.push(.film(id: 2))
        try router.present(.home)
        #expect(
            router.modals == [Modal(.film(id: 1), style: .fullScreen, stack: [.film(id: 2)]), Modal(.home)])
        router.dismiss()
        #expect(router.state.visible == .film(id: 2))
    }

    @Test func coverThatAContainerPresentsIsHeldWithItsStyle() throws {
        router.modals.append(Modal(.profile, style: .fullScreen))
        #expect(router.state.held?.navigation == .present(.profile, style: .fullScreen))
        let saved = router.save()
        #expect(saved.text == "held cover\npush https://example.com/profile\n")
        let later = Journey()
        #expect(later.router.restore(saved.text) == [])
        later.isSignedIn = true
        try later.router.resume()
        #expect(later.router.modals == [Modal(.profile, style: .fullScreen)])
    }

    @Test func signInOfAGuardMayCoverTheWholeScreen() throws {
        router.guards = [{ $0 == .profile ? .hold(presenting: .signIn, style: .fullScreen) : .allow }]
        try router.push(.profile)
        #expect(router.modals == [Modal(.signIn, style: .fullScreen)])
        router.guards = []
        try router.resume()
        #expect(router.stack == [.profile] && router.modals.isEmpty)
    }
}
