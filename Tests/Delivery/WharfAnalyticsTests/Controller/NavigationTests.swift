import Testing
import WharfAnalytics
import WharfJSON
import WharfPresentation

private enum Screen: Route {
    case start, film(Int)

    static let links = RouteTable<Screen>(host: "example.com") {
        LinkPath("film").segment(.int).route(Screen.film) { if case .film(let id) = $0 { id } else { nil } }
    }
}

private struct ScreenShown: AnalyticsEvent, Encodable {
    var name: String { "screen.shown" }
    let screen: String
    let campaign: String?

    init(_ event: NavigationEvent<Screen>) {
        screen = event.to.map { "\($0)" } ?? "root"
        campaign = event.link?.query.first { $0.name == "utm_source" }?.value
    }
}

struct NavigationTests {
    @Test @MainActor func oneClosurePostsAnEventBeforeEachNavigation() async throws {
        let stage = Stage()
        let analytics = stage.analytics()
        let router = Router<Screen>(willNavigate: { event in analytics.post(ScreenShown(event)) })
        try router.open("https://example.com/film/42?utm_source=mail")
        router.pop()
        try await stage.enqueued(2)
        #expect(
            try stage.events().map(\.properties)
                == [["screen": "film(42)", "campaign": "mail"], ["screen": "root"]])
    }
}
