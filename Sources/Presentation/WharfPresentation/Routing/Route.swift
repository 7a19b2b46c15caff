/// A place in an app, as a value without knowledge of views.
///
/// ```swift
/// enum AppRoute: Route {
///     case film(id: Int)
///     case search(text: String, page: Int?)
///     case profile
///
///     static let links = RouteTable<AppRoute>(host: "example.com", aliases: ["www.example.com"], appSchemes: ["demo"]) {
///         LinkPath("film").segment(.int)
///             .route(AppRoute.film) { if case .film(let id) = $0 { id } else { nil } }
///         LinkPath("search").query("q", .string).query("page", optional: .int)
///             .route(AppRoute.search) { if case .search(let text, let page) = $0 { (text, page) } else { nil } }
///         LinkPath("profile").route(.profile)
///     }
/// }
/// ```
public protocol Route: Hashable, Sendable {
    /// The links of all routes, for parsing and printing.
    static var links: RouteTable<Self> { get }
}

extension Route {
    /// Creates the route that a link leads to.
    ///
    /// - Throws: ``RoutingError``, as ``RouteTable/route(for:)`` does.
    public init(link text: String) throws(RoutingError) {
        self = try Self.links.route(for: Link(text))
    }

    /// Returns the canonical link of this route.
    ///
    /// - Throws: ``RoutingError/Code/noLink``, ``RoutingError/Code/unprintable``.
    public func link() throws(RoutingError) -> Link { try Self.links.link(to: self) }
}
