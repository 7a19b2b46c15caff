import Testing
import WharfChecks
import WharfPresentation
import WharfPresentationLaws

@Suite struct RouteTableTests {
    @Test(arguments: RouteLaws.all(for: AppRoute.self))
    func tableKeepsLaw(law: Law<RouteLaws.Subject<AppRoute>>) async throws {
        try await law.check(.init("AppRoute", AppRoute.generator))
    }

    @Test(arguments: RouteLaws.all(for: AppRoute.self))
    func appSchemeTableKeepsLaw(law: Law<RouteLaws.Subject<AppRoute>>) async throws {
        let routes = AppRoute.generator.filter { if case .film = $0 { true } else { $0 == .profile } }
        try await law.check(.init("demo:", routes, links: .demo))
    }

    @Test(arguments: [
        ("https://example.com/film/42?utm_source=x", AppRoute.film(id: 42)),
        ("http://www.example.com/film/42/", .film(id: 42)), ("https://localhost:8080/profile#top", .profile),
        ("https://example.com/film/popular", .collection(.allTime)),
        ("https://example.com/films/new", .collection(.new)),
        ("https://example.com", .home), ("https://example.com/search?page=2&q=a+b%26", .search(text: "a b&", page: 2)),
        ("https://example.com/search?q", .search(text: "", page: nil)),
        ("https://example.com/film/007/review/a%2Fb", .review(film: 7, author: "a/b")),
        ("demo://film/42", .film(id: 42)), ("demo://example.com/film/42", .film(id: 42)),
        ("demo:film/42", .film(id: 42)), ("DEMO:///film/42", .film(id: 42)),
        ("demo:", .home), ("demo://profile", .profile),
    ])
    func aLinkLeadsToItsRoute(link: String, expected: AppRoute) throws {
        #expect(try route(link) == expected)
    }

    @Test(arguments: [
        ("ftp://example.com/film/42", RoutingError.Code.unknownScheme), ("other:film/42", .unknownScheme),
        ("https://example.org/film/42", .unknownHost), ("https://example.com:8443/film/42", .unknownHost),
        ("https://localhost/film/42", .unknownHost), ("https:/film/42", .unknownHost),
        ("https://example.com/movie/42", .unknownPath), ("https://example.com/Film/42", .unknownPath),
        ("https://example.com/film//42", .unknownPath), ("https://example.com//film/42", .unknownPath),
        ("https://example.com/film", .unknownPath), ("https://example.com/film/42//", .unknownPath),
        ("https://example.com/film/1/review//", .unknownPath), ("demo://example.org/film/42", .unknownPath),
        ("https://example.com/film/x", .invalidValue), ("https://example.com/films/old", .invalidValue),
        ("https://example.com/search?q=a&page=two", .invalidValue), ("https://example.com/search", .missingQuery),
        ("https://example.com/search?q=a&q=b", .repeatedQuery), ("https://example.com/film/4%", .malformedEscape),
    ])
    func unroutableLinkIsATypedError(link: String, code: RoutingError.Code) throws {
        let error = try #require(failure(of: link))
        #expect(error.code == code, "\(error)")
        #expect(error.message.hasPrefix("expected ") && error.message.contains("found "))
    }

    @Test func errorMessagesOmitQueryValues() throws {
        for link in [
            "https://example.com/search?page=secret&q=secret", "https://example.org/?token=secret#secret",
            "https://example.com/search?q=secret&q=secret", "https://example.com/none?secret=secret",
        ] {
            let message = try #require(failure(of: link)).message.replacing("?secret ", with: "").replacing(
                "?secret;", with: "")
            #expect(!message.contains("secret"), "\(message)")
        }
    }

    @Test func strictTableRefusesUnknownQueryItems() throws {
        let strict = RouteTable<AppRoute>(host: "example.com", unknownQueries: .refused) {
            LinkPath("search").query("q", .string).route({ .search(text: $0, page: nil) }) {
                if case .search(let text, nil) = $0 { text } else { nil }
            }
            LinkPath("profile").route(.profile)
        }
        #expect(try route("https://example.com/search?q=a", strict) == .search(text: "a", page: nil))
        #expect(failure(of: "https://example.com/search?q=a&page=1", strict)?.code == .unknownQuery)
        #expect(failure(of: "https://example.com/profile?utm_source=x", strict)?.code == .unknownQuery)
    }

    @Test func tableAcceptingUnknownHostsReadsAnyHost() throws {
        let open = RouteTable<AppRoute>(host: "example.com", unknownHosts: .accepted) {
            LinkPath("profile").route(.profile)
        }
        #expect(try route("https://preview-7.example.dev/profile", open) == .profile)
        #expect(try open.link(to: .profile).description == "https://example.com/profile")
        #expect(failure(of: "ftp://example.dev/profile", open)?.code == .unknownScheme)
    }

    @Test func aTableWithoutASitePrintsLinksOfItsScheme() throws {
        #expect(try RouteTable.demo.link(to: .film(id: 7)).description == "demo:///film/7")
        #expect(failure(of: "https://example.com/film/7", .demo)?.code == .unknownScheme)
    }

    @Test(arguments: ["", ".", ".."])
    func emptyOrDotPathSegmentIsUnprintable(text: String) throws {
        let error = try #require(throws: RoutingError.self) { try AppRoute.review(film: 1, author: text).link() }
        #expect(error.code == .unprintable && error.message.contains("put the value into the query"))
    }

    @Test func routeWithoutLinkIsAnError() throws {
        let error = try #require(throws: RoutingError.self) { try AppRoute.debug.link() }
        #expect(error.code == .noLink && error.message.contains("debug"))
    }

    @Test func laterPatternMatchesIfAnEarlierOneDoesNot() throws {
        let links = RouteTable<AppRoute>(host: "example.com") {
            LinkPath("film").segment(.int).route(AppRoute.film) { if case .film(let id) = $0 { id } else { nil } }
            LinkPath("film").segment(.string).route({ .search(text: $0, page: nil) }) { _ in nil }
        }
        #expect(try route("https://example.com/film/7", links) == .film(id: 7))
        #expect(try route("https://example.com/film/heat", links) == .search(text: "heat", page: nil))
    }

    @Test func aRouteIsReadFromTextAndPrinted() throws {
        let route = try AppRoute(link: "https://www.example.com/film/42?utm_source=x")
        #expect(try route.link().description == "https://example.com/film/42")
    }
}

extension RouteTable<AppRoute> {
    static let demo = RouteTable<AppRoute>(appScheme: "demo") {
        LinkPath("film").segment(.int).route(AppRoute.film) { if case .film(let id) = $0 { id } else { nil } }
        LinkPath("profile").route(.profile)
    }
}
