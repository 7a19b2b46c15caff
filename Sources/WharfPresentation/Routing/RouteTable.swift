/// Which link leads to which route, and the link of each route.
///
/// Of several descriptions that fit a link the first counts, and likewise of several that fit a route.
public struct RouteTable<R: Route>: Sendable {
    /// What to do with links to other hosts.
    public enum UnknownHosts: Sendable {
        /// They throw ``RoutingError/Code/unknownHost``: for the browser.
        case refused
        /// Whatever the host, the path counts: for previews and staging.
        case accepted
    }

    /// What to do with query items that a route does not know, such as `utm_source`.
    public enum UnknownQueries: Sendable {
        /// They lead to the same route, and its own link is without them.
        case ignored
        /// They throw ``RoutingError/Code/unknownQuery``.
        case refused
    }

    private let scheme: String
    /// The first is the canonical one.
    private let sites: [Link.Site]
    private let appSchemes: Set<String>
    private let unknownHosts: UnknownHosts
    private let unknownQueries: UnknownQueries
    private let links: [RouteLink<R>]

    /// Links of a site, by https or http, and of schemes of the app's own.
    ///
    /// - Parameters:
    ///   - host: of the canonical links, which are `https`; with a port where it is not 443.
    ///   - aliases: other hosts that mean the same.
    ///   - appSchemes: their links have no host: `demo:film/42`, `demo:///film/42` and `demo://film/42` are the same. What
    ///     stands in the place of the host has no upper case there.
    /// - Precondition: hosts and schemes are such by RFC 3986.
    public init(
        host: String, aliases: [String] = [], appSchemes: [String] = [], unknownHosts: UnknownHosts = .refused,
        unknownQueries: UnknownQueries = .ignored, @RouteTableBuilder<R> _ links: () -> [RouteLink<R>]
    ) {
        scheme = "https"
        sites = ([host] + aliases).map(Self.site)
        self.appSchemes = Set(appSchemes.map(Self.scheme))
        self.unknownHosts = unknownHosts
        self.unknownQueries = unknownQueries
        self.links = links()
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
    }

    /// - Throws: ``RoutingError``: an unknown scheme, host, path or query, or a value that is not what the route needs.
    public func route(for link: Link) throws(RoutingError) -> R {
        let link = try local(link)
        var failure: RoutingError?
        for candidate in links where candidate.hasPath(of: link) {
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
            return Link(scheme: scheme, site: sites.first, path: draft.path, query: draft.query)
        }
        throw RoutingError(
            .noLink, message: "expected a link for \(route), found none in \(R.self).links; describe it there")
    }

    /// What is left of a link when scheme and host are known: for those of an app the host is part of the path.
    private func local(_ link: Link) throws(RoutingError) -> Link {
        if appSchemes.contains(link.scheme) {
            guard let site = link.site else { return link }
            return Link(scheme: link.scheme, site: nil, path: ["\(site)"] + link.path, query: link.query)
        }
        guard !sites.isEmpty, ["https", "http"].contains(link.scheme) else {
            let known = (sites.isEmpty ? [] : ["https", "http"]) + appSchemes.sorted()
            throw RoutingError(
                .unknownScheme, message: "expected a link by \(known.joined(separator: ", ")), found \(link.redacted)")
        }
        guard unknownHosts == .accepted || link.site.map(sites.contains) == true else {
            throw RoutingError(
                .unknownHost,
                message:
                    "expected a link to \(sites.map(\.description).joined(separator: ", ")), found \(link.redacted); "
                    + "open it in a browser, or add the host to \(R.self).links")
        }
        return link
    }

    private func check(_ link: Link, _ candidate: RouteLink<R>) throws(RoutingError) {
        guard unknownQueries == .refused else { return }
        let unknown = link.query.map(\.name).filter { !candidate.names.contains($0) }
        guard !unknown.isEmpty else { return }
        throw RoutingError(
            .unknownQuery,
            message: "expected no query items but [\(candidate.names.joined(separator: ", "))], "
                + "found \(unknown.joined(separator: ", ")) in \(link.redacted)")
    }

    private static func site(_ text: String) -> Link.Site {
        guard case .success(let link) = Result(catching: { () throws(RoutingError) in try Link("https://\(text)") }),
            let site = link.site, link.path.isEmpty, link.query.isEmpty, link.fragment == nil
        else { preconditionFailure("expected a host such as \"example.com\", found \"\(text)\"") }
        return site
    }

    private static func scheme(_ text: String) -> String {
        guard case .success(let link) = Result(catching: { () throws(RoutingError) in try Link("\(text):") }),
            link.scheme == text.lowercased()
        else { preconditionFailure("expected a scheme such as \"demo\", found \"\(text)\"") }
        return link.scheme
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
