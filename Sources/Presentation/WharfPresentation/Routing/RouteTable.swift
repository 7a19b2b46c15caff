/// A table of the links of all routes.
///
/// The first description that fits a link decides, and likewise the first that fits a route. The
/// law "every description is reached" of `RouteLaws` finds descriptions that an earlier one hides.
///
/// A table has these links:
/// - `https://` and `http://` with the host of the table or one of its aliases
/// - the same with the host of a single pattern (`LinkPath(_:hosts:)`)
/// - the app's own schemes, with one of these hosts (`demo://example.com/film/42`) or without
///   (`demo://film/42`)
public struct RouteTable<R: Route>: Sendable {
    /// The treatment of links to unknown hosts.
    public enum UnknownHosts: Sendable {
        /// They throw ``RoutingError/Code/unknownHost``. The app can open them in a browser.
        case refused
        /// They are parsed by their path: for previews and staging servers.
        case accepted
    }

    private let scheme: String
    /// The hosts of the table. The first is canonical.
    private let sites: [Link.Site]
    private let appSchemes: Set<String>
    private let unknownHosts: UnknownHosts
    private let unknownQueries: UnknownQueries
    private let links: [RouteLink<R>]
    /// The hosts of single patterns.
    private let patternSites: Set<Link.Site>

    /// Creates a table for a web site, and optionally for schemes of the app's own.
    ///
    /// - Parameters:
    ///   - host: the host of canonical links, which are `https`. It includes a port other than 443.
    ///   - aliases: other hosts with the same links.
    ///   - appSchemes: schemes of the app's own. `demo:film/42`, `demo:///film/42` and
    ///     `demo://film/42` are the same link, and its first segment must be lower-case. A host of
    ///     the table or of a pattern is recognised here too: `demo://example.com/film/42`.
    ///   - unknownHosts: the treatment of links to other hosts.
    ///   - unknownQueries: the rule for links without a rule of their own.
    ///   - links: the links, in the order in which they are tried.
    /// - Precondition: hosts and schemes are valid by RFC 3986.
    public init(
        host: String, aliases: [String] = [], appSchemes: [String] = [], unknownHosts: UnknownHosts = .refused,
        unknownQueries: UnknownQueries = .ignored, @RouteTableBuilder<R> _ links: () -> [RouteLink<R>]
    ) {
        scheme = "https"
        sites = ([host] + aliases).map(Link.Site.checked)
        self.appSchemes = Set(appSchemes.map(Self.scheme))
        self.unknownHosts = unknownHosts
        self.unknownQueries = unknownQueries
        self.links = links()
        patternSites = Set(self.links.flatMap(\.shape.hosts))
    }

    /// Creates a table for a scheme of the app's own, without a web site.
    ///
    /// - Precondition: the scheme is valid by RFC 3986.
    public init(
        appScheme: String, unknownQueries: UnknownQueries = .ignored,
        @RouteTableBuilder<R> _ links: () -> [RouteLink<R>]
    ) {
        scheme = Self.scheme(appScheme)
        sites = []
        appSchemes = [scheme]
        unknownHosts = .refused
        self.unknownQueries = unknownQueries
        self.links = links()
        patternSites = Set(self.links.flatMap(\.shape.hosts))
    }

    /// Returns the route that a link leads to.
    ///
    /// - Throws: ``RoutingError`` for an unknown scheme, host, path or query item, and for a value
    ///   that the route does not accept.
    public func route(for link: Link) throws(RoutingError) -> R {
        let link = try local(link)
        var failure: RoutingError?
        for candidate in links where candidate.shape.fits(link.path) && isHost(link.site, of: candidate.shape) {
            do throws(RoutingError) {
                // Parsed before the query is checked, so that the error of a value comes before
                // that of an unknown item.
                let route = try candidate.parse(link)
                try check(link, candidate)
                return route
            } catch {
                // The error of the first fitting path is kept, because a later description may
                // still parse the link.
                failure = failure ?? error
            }
        }
        throw failure
            ?? RoutingError(
                .unknownPath,
                message: "expected the path of a route, found \(link.redacted); describe it in \(R.self).links")
    }

    /// Returns the canonical link of a route.
    ///
    /// - Throws: ``RoutingError/Code/noLink``, ``RoutingError/Code/unprintable``.
    public func link(to route: R) throws(RoutingError) -> Link {
        for link in links {
            guard let draft = try link.print(route) else { continue }
            let site = link.shape.hosts.first ?? sites.first
            return Link(scheme: scheme, site: site, path: draft.path, query: draft.query)
        }
        throw RoutingError(
            .noLink, message: "\(R.self).links has no link for \(route); describe it there")
    }

    /// Descriptions that no link reaches.
    ///
    /// An earlier description fits all of their canonical links.
    ///
    /// `RouteLaws` reads it. Complexity: the square of the number of descriptions.
    package var unreachable: [String] {
        links.indices.compactMap { index in
            let hidden = links[index]
            return links[..<index].first { $0.covers(hidden, sites: sites, unknownQueries) }
                .map { "\(hidden.shape) is hidden by \($0.shape)" }
        }
    }

    /// Moves an unknown host of an app-scheme link into the path. Refuses unknown schemes and
    /// hosts.
    private func local(_ link: Link) throws(RoutingError) -> Link {
        if appSchemes.contains(link.scheme) {
            // In `demo://film/42` the host is the first part of the path for the author of the
            // link.
            guard let site = link.site, !isKnown(site) else { return link }
            return Link(scheme: link.scheme, site: nil, path: ["\(site)"] + link.path, query: link.query)
        }
        guard !sites.isEmpty, ["https", "http"].contains(link.scheme) else {
            let known = (sites.isEmpty ? [] : ["https", "http"]) + appSchemes.sorted()
            throw RoutingError(
                .unknownScheme,
                message: "expected a link with the scheme \(known.joined(separator: ", ")), found \(link.redacted)")
        }
        guard unknownHosts == .accepted || link.site.map(isKnown) == true else {
            let known =
                sites.map(\.description)
                + Set(patternSites.map(\.description)).subtracting(
                    sites.map(\.description)
                ).sorted()
            throw RoutingError(
                .unknownHost,
                message: "expected a link to \(known.joined(separator: ", ")), found \(link.redacted); "
                    + "open it in a browser, or add the host to \(R.self).links")
        }
        return link
    }

    private func isKnown(_ site: Link.Site) -> Bool { sites.contains(site) || patternSites.contains(site) }

    /// - Parameter site: the host; nil for a link of the app's own scheme without a host.
    private func isHost(_ site: Link.Site?, of shape: LinkShape) -> Bool {
        guard let site else { return shape.hosts.isEmpty }
        guard shape.hosts.isEmpty else { return shape.hosts.contains(site) }
        // The hosts of single patterns are for these patterns alone.
        return sites.contains(site) || !patternSites.contains(site)
    }

    private func check(_ link: Link, _ candidate: RouteLink<R>) throws(RoutingError) {
        let unknown = candidate.refused(link.query.map(\.name), unknownQueries)
        guard !unknown.isEmpty else { return }
        throw RoutingError(
            .unknownQuery,
            message: "expected only the query items [\(candidate.shape.names.joined(separator: ", "))], "
                + "found \(unknown.joined(separator: ", ")) in \(link.redacted)")
    }

    private static func scheme(_ text: String) -> String {
        guard case .success(let link) = Result(catching: { () throws(RoutingError) in try Link("\(text):") }),
            link.scheme == text.lowercased()
        else { preconditionFailure("expected a scheme such as \"demo\", found \"\(text)\"") }
        return link.scheme
    }
}

extension Link.Site {
    /// Returns the host, with an optional port, that a text names.
    ///
    /// - Precondition: the text is valid by RFC 3986.
    static func checked(_ text: String) -> Link.Site {
        guard case .success(let link) = Result(catching: { () throws(RoutingError) in try Link("https://\(text)") }),
            let site = link.site, link.path.isEmpty, link.query.isEmpty, link.fragment == nil
        else { preconditionFailure("expected a host such as \"example.com\", found \"\(text)\"") }
        return site
    }
}

/// A builder that lists the links of a table, in order.
@resultBuilder
public enum RouteTableBuilder<R: Route> {
    /// Adds one link.
    public static func buildExpression(_ link: RouteLink<R>) -> [RouteLink<R>] { [link] }
    /// Adds the links of a part of the app, which an array holds.
    public static func buildExpression(_ links: [RouteLink<R>]) -> [RouteLink<R>] { links }
    /// Joins the links in order.
    public static func buildBlock(_ links: [RouteLink<R>]...) -> [RouteLink<R>] { links.flatMap(\.self) }
}
