import WharfChecks
import WharfPresentation

/// Routes with one to eight values of mixed types.
enum ShelfRoute: Route {
    enum Size: String, CaseIterable { case new, old }

    case one(Int)
    case three(String, String, Int)
    case four(Int, String, Bool, Int?)
    case five(String, Size, Int, Int?, String)
    case six(Int, String, Bool, Size, Int, String?)
    case seven(String, Int, String, Bool, Size, Int?, Int)
    case eight(String, Int, Bool, Size, [String], Int, String?, [Link.QueryItem])
    case rest([String])
    case tab(String)

    static let links = RouteTable<ShelfRoute>(host: "example.com") {
        LinkPath("1").segment(.int).route(ShelfRoute.one) { if case .one(let a) = $0 { a } else { nil } }
        LinkPath("3").segment(.string).segment(.string).segment(.int)
            .route(ShelfRoute.three) { if case .three(let a, let b, let c) = $0 { (a, b, c) } else { nil } }
        LinkPath("4").segment(.int).segment(.string).segment(.bool).query("d", optional: .int)
            .route(ShelfRoute.four) {
                if case .four(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
            }
        LinkPath("5").segment(.string).segment(.rawValue).segment(.int).query("d", optional: .int)
            .query("e", .string)
            .route(ShelfRoute.five) {
                if case .five(let a, let b, let c, let d, let e) = $0 { (a, b, c, d, e) } else { nil }
            }
        LinkPath("6").segment(.int).segment(.string).segment(.bool).segment(.rawValue).query("e", .int)
            .query("f", optional: .string)
            .route(ShelfRoute.six) {
                if case .six(let a, let b, let c, let d, let e, let f) = $0 { (a, b, c, d, e, f) } else { nil }
            }
        LinkPath("7").segment(.string).segment(.int).segment(.string).segment(.bool).query("e", .rawValue)
            .query("f", optional: .int).query("g", .int)
            .route(ShelfRoute.seven) {
                if case .seven(let a, let b, let c, let d, let e, let f, let g) = $0 {
                    (a, b, c, d, e, f, g)
                } else {
                    nil
                }
            }
        LinkPath("8").segment(.string).path("x").segment(.int).path("y").segment(.bool).path("z")
            .segment(.rawValue).rest().query("e", .int).query("f", optional: .string).remainingQuery()
            .route(ShelfRoute.eight) {
                if case .eight(let a, let b, let c, let d, let e, let f, let g, let h) = $0 {
                    (a, b, c, d, e, f, g, h)
                } else {
                    nil
                }
            }
        LinkPath("rest").rest().route(ShelfRoute.rest) { if case .rest(let parts) = $0 { parts } else { nil } }
        LinkPath("view").query("tab", is: "a").route(.tab("a"))
        LinkPath("view").query("tab", is: "b").route(.tab("b"))
    }

    private static let segment = Generator<String>.string().filter { !["", ".", ".."].contains($0) }
    private static let number = Generator<Int>.int(in: -9...9)
    private static let size = Generator<Size>.anyCase()
    private static let flag = Generator<Bool>.bool
    private static let text = Generator<String>.string()

    private static let seven = Generator.zip(segment, number, flag, size).map { ($0, $1, $2, $3) }

    static let generator = Generator<ShelfRoute>.oneOf(
        number.map { .one($0) },
        Generator.zip(segment, segment, number).map { .three($0, $1, $2) },
        Generator.zip(number, segment, flag, .optional(number)).map { .four($0, $1, $2, $3) },
        Generator.zip(seven, .optional(number), text).map { .five($0.0, $0.3, $0.1, $1, $2) },
        Generator.zip(seven, number, .optional(text)).map { .six($0.1, $0.0, $0.2, $0.3, $1, $2) },
        Generator.zip(seven, segment, .optional(number), number).map {
            .seven($0.0, $0.1, $1, $0.2, $0.3, $2, $3)
        },
        Generator.zip(seven, .array(of: segment, count: 0...3), number, .optional(text)).map {
            .eight($0.0, $0.1, $0.2, $0.3, $1, $2, $3, [.init("utm", "a b"), .init("x", nil)])
        },
        Generator<[String]>.array(of: segment, count: 0...3).map { .rest($0) },
        .element(of: [.tab("a"), .tab("b")]))
}
