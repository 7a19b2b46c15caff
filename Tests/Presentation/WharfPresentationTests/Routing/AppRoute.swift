import WharfChecks
import WharfPresentation

/// The routes of these tests.
enum AppRoute: Route {
    case home
    case film(id: Int)
    case review(film: Int, author: String)
    case search(text: String, page: Int?)
    case collection(Collection)
    case profile
    case signIn
    /// A route without a link.
    case debug

    enum Collection: String, CaseIterable { case new, allTime = "all-time" }

    static let links = RouteTable<AppRoute>(
        host: "example.com", aliases: ["www.example.com", "localhost:8080"], appSchemes: ["demo"]
    ) {
        LinkPath().route(.home)
        LinkPath("film/popular").route(.collection(.allTime))
        LinkPath("film").segment(.int).route(AppRoute.film) { if case .film(let id) = $0 { id } else { nil } }
        LinkPath("film").segment(.int).path("review").segment(.string)
            .route(AppRoute.review) { if case .review(let film, let author) = $0 { (film, author) } else { nil } }
        LinkPath("search").query("q", .string).query("page", optional: .int)
            .route(AppRoute.search) { if case .search(let text, let page) = $0 { (text, page) } else { nil } }
        LinkPath("films").segment(.rawValue)
            .route(AppRoute.collection) { if case .collection(let name) = $0 { name } else { nil } }
        LinkPath("profile").route(.profile)
        LinkPath("sign-in").route(.signIn)
    }

    private static let inPath = Generator<String>.string().filter { !["", ".", ".."].contains($0) }

    /// The routes that have a link, with random texts that a link can carry.
    static let generator = Generator<AppRoute>.oneOf(
        .element(of: [.home, .profile, .signIn]),
        Generator<Int>.int(in: .min ... .max).map { .film(id: $0) },
        Generator.zip(.int(in: -9...9), inPath)
            .map { .review(film: $0, author: $1) },
        Generator.zip(.string(), .optional(.int(in: -9...9))).map { .search(text: $0, page: $1) },
        Generator<Collection>.anyCase().map { .collection($0) })
}

func route(_ link: String, _ links: RouteTable<AppRoute> = AppRoute.links) throws(RoutingError) -> AppRoute {
    try links.route(for: Link(link))
}

func failure(of link: String, _ links: RouteTable<AppRoute> = AppRoute.links) -> RoutingError? {
    do throws(RoutingError) {
        _ = try route(link, links)
        return nil
    } catch {
        return error
    }
}
