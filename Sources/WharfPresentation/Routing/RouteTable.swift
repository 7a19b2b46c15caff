/// Which link leads to which route, and the link of each route.
///
/// The first description that fits a link counts, and likewise the first that fits a route. The law
/// "every description is reached" of `RouteLaws` finds descriptions that an earlier one hides.
///
/// Links of one table:
/// - `https://` and `http://` with the host of the table or one of its aliases,
/// - the same with a host that a pattern is for (`LinkPath(_:hosts:)`),
/// - those of the app's own schemes, with one of these hosts (`demo://example.com/film/42`) or
///   without (`demo://film/42`).
public struct RouteTable<R: Route>: Sendable {
    /// What to do with links to other hosts.
    public enum UnknownHosts: Sendable {
        /// They throw ``RoutingError/Code/unknownHost``: for the browser.
        case refused
        /// The path counts, whatever the host: for previews and staging.
        case accepted
    }

    private let scheme: String
    /// The first is the canonical one.
    private let sites: [Link.Site]
    private let appSchemes: Set<String>
    private let unknownHosts: UnknownHosts
    private let unknownQueries: UnknownQueries
    private let links: [RouteLink<R>]
    /// The hosts that single patterns are for.
    private let patternSites: Set<Link.Site>

    /// Links of a site, by https or http, and of schemes of the app's own.
    ///
    /// - Parameters:
    ///   - host: of the canonical links, which are `https`; with a port where it is not 443.
    ///   - aliases: other hosts that mean the same.
    ///   - appSchemes: schemes of the app's own. `demo:film/42`, `demo:///film/42` and
    ///     `demo://film/42` are the same link, in which the first segment is lower-case. A host of
    ///     the table or of one of its patterns is a host here, too: `demo://example.com/film/42`.
    ///   - unknownQueries: for links that have no rule of their own.
    /// - Precondition: hosts and schemes are such by RFC 3986.
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

    /// Links of a scheme of the app's own, without a site.
    ///
    /// - Precondition: it is a scheme by RFC 3986.
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

    /// - Throws: ``RoutingError``: an unknown scheme, host, path or query, or a value that is not
    ///   what the route needs.
    public func route(for link: Link) throws(RoutingError) -> R {
        let link = try local(link)
        var failure: RoutingError?
        for candidate in links where candidate.shape.fits(link.path) && isHost(link.site, of: candidate.shape) {
            do throws(RoutingError) {
                let route = try candidate.parse(link)
                try check(link, candidate)
                return route
            } catch {
                // Of the first whose path fits: a description behind it may fit better.
                failure = failure ?? error
            }
        }
        throw failure
            ?? RoutingError(
                .unknownPath,
                message: "expected the path of a route, found \(link.redacted); describe it in \(R.self).links")
    }

    /// The canonical link of a route.
    ///
    /// - Throws: ``RoutingError/Code/noLink``, ``RoutingError/Code/unprintable``.
    public func link(to route: R) throws(RoutingError) -> Link {
        for link in links {
            guard let draft = try link.print(route) else { continue }
            let site = link.shape.hosts.first ?? sites.first
            return Link(scheme: scheme, site: site, path: draft.path, query: draft.query)
        }
        throw RoutingError(
            .noLink, message: "expected a link for \(route), found none in \(R.self).links; describe it there")
    }

    /// Descriptions that no link reaches, because an earlier one fits all of their canonical links.
    ///
    /// `RouteLaws` call it. Complexity: the square of the number of descriptions.
    package var unreachable: [String] {
        links.indices.compactMap { index in
            let hidden = links[index]
            return links[..<index].first { $0.covers(hidden, sites: sites, unknownQueries) }
                .map { "\(hidden.shape) is hidden by \($0.shape)" }
        }
    }

    /// Moves a host that is none into the path, and refuses other schemes and hosts.
    private func local(_ link: Link) throws(RoutingError) -> Link {
        if appSchemes.contains(link.scheme) {
            guard let site = link.site, !isKnown(site) else { return link }
            return Link(scheme: link.scheme, site: nil, path: ["\(site)"] + link.path, query: link.query)
        }
        guard !sites.isEmpty, ["https", "http"].contains(link.scheme) else {
            let known = (sites.isEmpty ? [] : ["https", "http"]) + appSchemes.sorted()
            throw RoutingError(
                .unknownScheme, message: "expected a link by \(known.joined(separator: ", ")), found \(link.redacted)")
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

    /// - Parameter site: nil for a link of the app's own scheme without a host.
    private func isHost(_ site: Link.Site?, of shape: LinkShape) -> Bool {
        guard let site else { return shape.hosts.isEmpty }
        guard shape.hosts.isEmpty else { return shape.hosts.contains(site) }
        return sites.contains(site) || !patternSites.contains(site)
    }

    private func check(_ link: Link, _ candidate: RouteLink<R>) throws(RoutingError) {
        let unknown = candidate.refused(link.query.map(\.name), unknownQueries)
        guard !unknown.isEmpty else { return }
        throw RoutingError(
            .unknownQuery,
            message: "expected no query items but [\(candidate.shape.names.joined(separator: ", "))], "
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
    /// - Precondition: the text is a host by RFC 3986, with a port or without.
    static func checked(_ text: String) -> Link.Site {
        guard case .success(let link) = Result(catching: { () throws(RoutingError) in try Link("https://\(text)") }),
            let site = link.site, link.path.isEmpty, link.query.isEmpty, link.fragment == nil
        else { preconditionFailure("expected a host such as \"example.com\", found \"\(text)\"") }
        return site
    }
}

/// Lists the links of a table, one after the other.
@resultBuilder
public enum RouteTableBuilder<R: Route> {
    public static func buildExpression(_ link: RouteLink<R>) -> [RouteLink<R>] { [link] }
    /// Those of a part of the app, in an array of their own.
    public static func buildExpression(_ links: [RouteLink<R>]) -> [RouteLink<R>] { links }
    public static func buildBlock(_ links: [RouteLink<R>]...) -> [RouteLink<R>] { links.flatMap(\.self) }
}
