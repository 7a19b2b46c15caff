/// The link of some routes of a table, in both directions.
public struct RouteLink<R: Route>: Sendable {
    let shape: LinkShape
    let parse: @Sendable (Link) throws(RoutingError) -> R
    /// Nil for a route that has another link.
    let print: @Sendable (R) throws(RoutingError) -> LinkDraft?
    /// Nil for the rule of the table.
    private(set) var unknownQueries: UnknownQueries?

    init(
        shape: LinkShape, parse: @escaping @Sendable (Link) throws(RoutingError) -> R,
        print: @escaping @Sendable (R) throws(RoutingError) -> LinkDraft?
    ) {
        self.shape = shape
        self.parse = parse
        self.print = print
    }

    /// Sets what this link does with query items that it does not know, whatever its table does.
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

    /// The names of a query that this link refuses.
    func refused(_ names: [String], _ rule: UnknownQueries) -> [String] {
        guard !shape.takesRemainingQuery else { return [] }
        let known = shape.names
        return names.filter { !known.contains($0) && (unknownQueries ?? rule).refuses($0) }
    }
}

/// The treatment of query items that a link does not know, such as `utm_source`.
public struct UnknownQueries: Hashable, Sendable {
    private let areRefused: Bool
    private let exceptions: Set<String>

    /// They lead to the same route, whose own link is without them.
    public static let ignored = Self(areRefused: false, exceptions: [])
    /// They throw ``RoutingError/Code/unknownQuery``.
    public static let refused = Self(areRefused: true, exceptions: [])

    /// All but these are ignored. These are refused.
    public static func ignored(except names: String...) -> Self { Self(areRefused: false, exceptions: Set(names)) }

    /// All but these are refused. These are ignored.
    public static func refused(except names: String...) -> Self { Self(areRefused: true, exceptions: Set(names)) }

    func refuses(_ name: String) -> Bool { exceptions.contains(name) != areRefused }
}
