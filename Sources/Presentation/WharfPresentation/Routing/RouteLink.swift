/// The description of the links of some routes, in both directions.
public struct RouteLink<R: Route>: Sendable {
    let shape: LinkShape
    let parse: @Sendable (Link) throws(RoutingError) -> R
    /// Returns nil for a route that has another link.
    let print: @Sendable (R) throws(RoutingError) -> LinkDraft?
    /// The rule of this link; nil for the rule of the table.
    private(set) var unknownQueries: UnknownQueries?

    init(
        shape: LinkShape, parse: @escaping @Sendable (Link) throws(RoutingError) -> R,
        print: @escaping @Sendable (R) throws(RoutingError) -> LinkDraft?
    ) {
        self.shape = shape
        self.parse = parse
        self.print = print
    }

    /// Returns a link with its own rule for unknown query items.
    ///
    /// The rule replaces that of the table.
    ///
    /// ```swift
    /// LinkPath("project").segment(.int).route(AppRoute.project) { … }
    ///     .unknownQueries(.ignored(except: "token"))
    /// ```
    public func unknownQueries(_ rule: UnknownQueries) -> Self {
        var link = self
        link.unknownQueries = rule
        return link
    }

    /// Returns the names of query items that this link refuses.
    func refused(_ names: [String], _ rule: UnknownQueries) -> [String] {
        guard !shape.takesRemainingQuery else { return [] }
        let known = shape.names
        return names.filter { !known.contains($0) && (unknownQueries ?? rule).refuses($0) }
    }
}

/// The rule for query items that a link does not know, such as `utm_source`.
public struct UnknownQueries: Hashable, Sendable {
    private let areRefused: Bool
    private let exceptions: Set<String>

    /// Ignores unknown items. The canonical link of the route does not have them.
    public static let ignored = Self(areRefused: false, exceptions: [])
    /// Throws ``RoutingError/Code/unknownQuery`` for unknown items.
    public static let refused = Self(areRefused: true, exceptions: [])

    /// Ignores unknown items except these, which are refused.
    public static func ignored(except names: String...) -> Self { Self(areRefused: false, exceptions: Set(names)) }

    /// Refuses unknown items except these, which are ignored.
    public static func refused(except names: String...) -> Self { Self(areRefused: true, exceptions: Set(names)) }

    func refuses(_ name: String) -> Bool { exceptions.contains(name) != areRefused }
}
