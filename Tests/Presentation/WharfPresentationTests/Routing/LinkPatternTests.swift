import Testing
import WharfChecks
import WharfPresentation
import WharfPresentationLaws

@Suite struct LinkPatternTests {
    @Test(arguments: RouteLaws.all(for: ShelfRoute.self))
    func patternsOfUpToEightValuesKeepRouteLaws(law: Law<RouteLaws.Subject<ShelfRoute>>) async throws {
        try await law.check(.init("ShelfRoute", ShelfRoute.generator))
    }

    @Test(arguments: [
        ("/3/a/b/1", ShelfRoute.three("a", "b", 1)),
        ("/4/-1/x/true?d=9", .four(-1, "x", true, 9)),
        ("/5/a/old/1?e=a+b", .five("a", .old, 1, nil, "a b")),
        ("/5/a/new/1?e=&d=2", .five("a", .new, 1, 2, "")),
        ("/6/1/b/false/new?e=7&f=x", .six(1, "b", false, .new, 7, "x")),
        ("/7/a/2/c/true?e=new&g=7", .seven("a", 2, "c", true, .new, nil, 7)),
        ("/8/a/x/2/y/true/z/old/p/q?e=1&utm=2", .eight("a", 2, true, .old, ["p", "q"], 1, nil, [.init("utm", "2")])),
        ("/8/a/x/2/y/true/z/old?f=b&e=1", .eight("a", 2, true, .old, [], 1, "b", [])),
    ])
    func valuesOfMixedTypesAreReadAndPrinted(path: String, route: ShelfRoute) throws {
        let link = "https://example.com" + path
        #expect(try ShelfRoute(link: link) == route)
        #expect(try ShelfRoute(link: "\(route.link())") == route)
    }

    @Test(arguments: [
        ("/4/x/x/true", RoutingError.Code.invalidValue), ("/4/1/x/yes", .invalidValue), ("/4/1/x", .unknownPath),
        ("/5/a/older/1?e=a", .invalidValue), ("/5/a/new/1", .missingQuery),
        ("/5/a/new/1?e=a&e=b", .repeatedQuery), ("/5/a/new/1?e=a&d=x", .invalidValue),
        ("/8/a/x/2/y/true/z/old?f=%zz&e=1", .malformedEscape), ("/8/a/x/2/y/true/w/old?e=1", .unknownPath),
        ("/8/a/x/2/y/true/z/old/p//q?e=1", .unknownPath), ("/8/a/x/2/y/true/z?e=1", .unknownPath),
        ("/view", .missingQuery), ("/view?tab=c", .invalidValue), ("/view?tab=a&tab=a", .repeatedQuery),
    ])
    func badInputIsATypedError(path: String, code: RoutingError.Code) throws {
        let error = try #require(throws: RoutingError.self) { try ShelfRoute(link: "https://example.com" + path) }
        #expect(error.code == code, "\(error)")
    }

    @Test func restIsDecodedAndEncodedBySegments() throws {
        let route = ShelfRoute.rest(["a/b", "é", "c d"])
        #expect(try route.link().description == "https://example.com/rest/a%2Fb/%C3%A9/c%20d")
        #expect(try ShelfRoute(link: "https://example.com/rest/a%2Fb/é/c%20d/") == route)
        #expect(try ShelfRoute(link: "https://example.com/rest") == .rest([]))
    }

    @Test(arguments: ["", ".", ".."]) func emptyOrDotSegmentInTheRestIsUnprintable(segment: String) throws {
        let error = try #require(throws: RoutingError.self) { try ShelfRoute.rest(["a", segment]).link() }
        #expect(error.code == .unprintable && error.message.contains("part 3"))
    }

    @Test func remainingItemNamedLikeAReadOneIsUnprintable() throws {
        let items = [Link.QueryItem("e", "1")]
        let route = ShelfRoute.eight("a", 1, true, .old, [], 1, nil, items)
        let error = try #require(throws: RoutingError.self) { try route.link() }
        #expect(error.code == .unprintable && error.message.contains("\"e\""))
    }

    @Test func fixedQueryItemsTellLinksApart() throws {
        #expect(try ShelfRoute(link: "https://example.com/view?tab=a") == .tab("a"))
        #expect(try ShelfRoute(link: "https://example.com/view?tab=b&x=1") == .tab("b"))
        #expect(try ShelfRoute.tab("b").link().description == "https://example.com/view?tab=b")
    }

    @Test func shadowedPatternsAreReported() {
        let links = RouteTable<ShelfRoute>(host: "example.com", aliases: ["www.example.com"]) {
            LinkPath("a").segment(.int).route({ .one($0) }) { _ in nil }
            LinkPath("a").segment(.string).query("q", optional: .int).route({ a, _ in .rest([a]) }) { _ in nil }
            // Hidden by the number, by the text, and by the text of the same table's host.
            LinkPath("a/7").route(.rest([]))
            LinkPath("a").segment(.rawValue).route({ (size: ShelfRoute.Size) in .rest([size.rawValue]) }) { _ in nil }
            LinkPath("a", hosts: "www.example.com").segment(.bool).route({ _ in .rest([]) }) { _ in nil }
            // Reachable: other hosts, other query values, more parts, other names.
            LinkPath("a", hosts: "b.example.com").segment(.bool).route({ _ in .rest([]) }) { _ in nil }
            LinkPath("a").segment(.string).query("q", .string).route({ a, _ in .rest([a]) }) { _ in nil }
            LinkPath("a").segment(.string).path("b").route({ .rest([$0]) }) { _ in nil }
            LinkPath("b").query("x", is: "1").route(.rest([]))
            LinkPath("b").query("x", is: "2").route(.rest([]))
            LinkPath("b").rest().route({ .rest($0) }) { _ in nil }
            // Hidden by the rest.
            LinkPath("b/c").segment(.int).rest().route({ _, rest in .rest(rest) }) { _ in nil }
        }
        #expect(
            links.unreachable == [
                "/a/7 is hidden by /a/{a whole number}",
                "/a/{a Size} is hidden by /a/{a text}?q={a whole number}?",
                "www.example.com/a/{true or false} is hidden by /a/{a text}?q={a whole number}?",
                "/b/c/{a whole number}/** is hidden by /b/**",
            ])
    }
}
