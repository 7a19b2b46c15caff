import Testing
import WharfPresentation

@Suite struct LinkHostTests {
    private static let links = RouteTable<AppRoute>(
        host: "example.com", aliases: ["www.example.com"], appSchemes: ["demo"]
    ) {
        LinkPath("film", hosts: "films.example.com", "f.example.com:8080").segment(.int)
            .route(AppRoute.film) { if case .film(let id) = $0 { id } else { nil } }
        LinkPath("film").segment(.string).route({ .search(text: $0, page: nil) }) {
            if case .search(let text, nil) = $0 { text } else { nil }
        }
        LinkPath("profile").route(.profile)
    }

    @Test(arguments: [
        ("https://films.example.com/film/7", AppRoute.film(id: 7)), ("http://f.example.com:8080/film/7", .film(id: 7)),
        ("demo://films.example.com/film/7", .film(id: 7)), ("DEMO://Films.Example.com/film/7", .film(id: 7)),
        ("https://example.com/film/7", .search(text: "7", page: nil)),
        ("demo://film/7", .search(text: "7", page: nil)), ("demo:film/7", .search(text: "7", page: nil)),
        ("demo://www.example.com/film/7", .search(text: "7", page: nil)), ("demo://example.com/profile", .profile),
    ])
    func patternOfAHostReadsThatHostAlone(link: String, expected: AppRoute) throws {
        #expect(try route(link, Self.links) == expected)
    }

    @Test(arguments: [
        ("https://films.example.com/profile", RoutingError.Code.unknownPath),
        ("demo://films.example.com/profile", .unknownPath), ("https://f.example.com/film/7", .unknownHost),
        ("https://other.example.com/film/7", .unknownHost), ("demo://other.example.com/film/7", .unknownPath),
        ("https://films.example.com/film/x", .invalidValue), ("ftp://films.example.com/film/7", .unknownScheme),
    ])
    func linkOfAnotherHostIsATypedError(link: String, code: RoutingError.Code) throws {
        #expect(try #require(failure(of: link, Self.links)).code == code)
    }

    @Test func linkIsPrintedWithTheFirstHostOfItsPattern() throws {
        #expect(try Self.links.link(to: .film(id: 7)).description == "https://films.example.com/film/7")
        #expect(try Self.links.link(to: .profile).description == "https://example.com/profile")
    }

    @Test func acceptedHostsAreNotThoseOfOtherPatterns() throws {
        let links = RouteTable<AppRoute>(host: "example.com", unknownHosts: .accepted) {
            LinkPath("film", hosts: "films.example.com").segment(.int).route({ .film(id: $0) }) { _ in nil }
            LinkPath("profile").route(.profile)
        }
        #expect(try route("https://preview.example.dev/profile", links) == .profile)
        #expect(failure(of: "https://films.example.com/profile", links)?.code == .unknownPath)
        #expect(failure(of: "https://preview.example.dev/film/7", links)?.code == .unknownPath)
    }

    @Test func tableOfASchemeHasHostsOfItsPatterns() throws {
        let links = RouteTable<AppRoute>(appScheme: "demo") {
            LinkPath("film", hosts: "films").segment(.int).route(AppRoute.film) {
                if case .film(let id) = $0 { id } else { nil }
            }
        }
        #expect(try route("demo://films/film/7", links) == .film(id: 7))
        #expect(try links.link(to: .film(id: 7)).description == "demo://films/film/7")
        #expect(failure(of: "https://films/film/7", links)?.code == .unknownScheme)
    }

    @Test func linkWithTheRemainingQueryRefusesNoItem() throws {
        let links = RouteTable<ShelfRoute>(host: "example.com", unknownQueries: .refused) {
            LinkPath("a").remainingQuery().route({ .rest($0.map(\.name)) }) { _ in nil }
        }
        #expect(try links.route(for: Link("https://example.com/a?b=1&c")) == .rest(["b", "c"]))
    }

    @Test func unknownQueryItemsAreRefusedPerLink() throws {
        let links = RouteTable<AppRoute>(host: "example.com") {
            LinkPath("profile").route(.profile).unknownQueries(.refused(except: "utm_source"))
            LinkPath("sign-in").route(.signIn).unknownQueries(.ignored(except: "token"))
            LinkPath().route(.home)
        }
        let site = "https://example.com/"
        #expect(try route(site + "profile?utm_source=a", links) == .profile)
        #expect(failure(of: site + "profile?utm_source=a&b=secret", links)?.code == .unknownQuery)
        #expect(failure(of: site + "profile?b=secret", links)?.message.contains("secret") == false)
        #expect(try route(site + "sign-in?b=1", links) == .signIn)
        #expect(failure(of: site + "sign-in?b=1&token=2", links)?.code == .unknownQuery)
        #expect(try route(site + "?token=2", links) == .home)
    }
}
