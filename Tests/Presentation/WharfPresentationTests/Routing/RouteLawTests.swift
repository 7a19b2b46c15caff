import Testing
import WharfChecks
import WharfPresentation
import WharfPresentationLaws

@Suite struct RouteLawTests {
    @Test(arguments: RouteLaws.all(for: AppRoute.self))
    func eachLawFailsForItsMutantsAlone(law: Law<RouteLaws.Subject<AppRoute>>) async throws {
        try await law.prove(by: RouteMutants.all, in: RouteLaws.all(for: AppRoute.self))
    }

    @Test func lawReportHasTheSmallestCounterexample() async throws {
        let mutant = try #require(RouteMutants.all.first { "\($0.subject)" == "forgets the page" })
        let law = try #require(RouteLaws.all(for: AppRoute.self).first { $0.name == mutant.breaks })
        let violation = try await #require(throws: LawViolation.self) { try await law.check(mutant.subject) }
        #expect(
            violation.counterexample?.input.hasSuffix(#"search(text: "", page: Optional(0))"#) == true, "\(violation)")
        #expect(violation.found.contains("https://example.com/search?q= leads to"), "\(violation.found)")
    }
}

enum RouteMutants {
    private typealias Subject = RouteLaws.Subject<AppRoute>

    static let all: [LawMutant<RouteLaws.Subject<AppRoute>>] = [
        .init(
            breaks: "every route has a link", Subject("has no link to the film", searches(lowerCase), links: wrong())),
        .init(
            breaks: "a route's link leads back to it",
            Subject(
                "forgets the page", searches(.string()),
                links: wrong(
                    LinkPath("search").query("q", .string).route({ .search(text: $0, page: nil) }) {
                        if case .search(let text, _) = $0 { text } else { nil }
                    }))),
        .init(
            breaks: "a route's link leads back to it",
            Subject(
                "takes one route for another", .element(of: [.profile, .signIn]),
                links: wrong(
                    LinkPath("me").query("page", optional: .int).route({ _ in .profile }) {
                        $0 == .profile ? .some(nil) : nil
                    },
                    LinkPath("me").query("page", optional: .string).route({ _ in .signIn }) {
                        $0 == .signIn ? .some(nil) : nil
                    }))),
        .init(
            breaks: "every description is reached",
            Subject(
                "hides a description", .element(of: [.profile]),
                links: wrong(LinkPath("me").route(.profile), LinkPath("me").route(.signIn)))),
        right(
            "a link is printed in its canonical form", "prints capitals",
            print: { $0.replacing("example", with: "Example") }),
        right(
            "a link is printed in its canonical form", "prints a slash before the query",
            print: { $0.replacing("?", with: "/?") }),
        right(
            "a link is printed in its canonical form", "prints escapes in lower case",
            print: { $0.replacing("%C", with: "%c").replacing("%F", with: "%f") }),
        right(
            "another spelling of a link leads to the same route", "knows no capitals",
            parse: { text in
                guard text.hasPrefix("https://example.com") else { throw Unread() }
                return text
            }),
        right(
            "another spelling of a link leads to the same route", "takes + for itself",
            parse: { $0.replacing("+", with: "%2B") }),
        right(
            "another spelling of a link leads to the same route", "knows no fragments",
            parse: { $0.replacing("#", with: "%23") }),
        .init(
            breaks: "the link printed for a parsed route leads to that route",
            Subject(
                "reads more texts than it prints", searches(lowerCase),
                links: wrong(
                    search(LinkValue("a text", parse: { $0 }, print: { $0.lowercased() }))))),
    ]

    private struct Unread: Error {}

    private static let lowerCase = Generator<String>.string(of: .element(of: ["a", "b", " "]))

    private static func searches(_ texts: Generator<String>) -> Generator<AppRoute> {
        Generator.zip(texts, .optional(.int(in: 0...9))).map { .search(text: $0, page: $1) }
    }

    private static func search(_ text: LinkValue<String>) -> RouteLink<AppRoute> {
        LinkPath("search").query("q", text).query("page", optional: .int)
            .route(AppRoute.search) { if case .search(let text, let page) = $0 { (text, page) } else { nil } }
    }

    private static func wrong(_ links: RouteLink<AppRoute>...) -> RouteTable<AppRoute> {
        RouteTable(host: "example.com") { links }
    }

    /// The table of the tests, with a defect before or after it.
    private static func right(
        _ law: String, _ name: String, print: @escaping @Sendable (String) -> String = { $0 },
        parse: @escaping @Sendable (String) throws -> String = { $0 }
    ) -> LawMutant<RouteLaws.Subject<AppRoute>> {
        LawMutant(
            breaks: law,
            Subject(
                name, searches(.string()), print: { print(try $0.link().description) },
                parse: { try AppRoute(link: parse($0)) }))
    }
}
