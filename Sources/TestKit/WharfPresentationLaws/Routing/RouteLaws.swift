public import WharfChecks
public import WharfPresentation

/// The laws of every table of routes: links and routes lead to each other.
///
/// ```swift
/// @Test(arguments: RouteLaws.all(for: AppRoute.self))
/// func myRoutesKeep(law: Law<RouteLaws.Subject<AppRoute>>) async throws {
///     try await law.check(.init("AppRoute", .oneOf(
///         Generator.int(in: 0 ... .max).map { .film(id: $0) },
///         Generator.zip(.string(), .optional(.int(in: 1...99))).map { .search(text: $0, page: $1) })))
/// }
/// ```
///
/// The generator should cover all routes that the app can make, with their worst texts. So the laws
/// find values that a link cannot carry.
public enum RouteLaws {
    /// A table of routes under test, with a generator of its routes.
    public struct Subject<R: Route>: Sendable, CustomStringConvertible {
        public let description: String
        let routes: Generator<R>
        let print: @Sendable (R) throws -> String
        let parse: @Sendable (String) throws -> R
        /// The descriptions of the table that no link reaches.
        let unreachable: [String]

        /// Creates a subject from a table.
        ///
        /// - Parameters:
        ///   - name: the name in the messages of violations.
        ///   - routes: generates routes.
        ///   - links: the table under test.
        public init(_ name: String, _ routes: Generator<R>, links: RouteTable<R> = R.links) {
            self.init(
                name, routes, print: { try links.link(to: $0).description },
                parse: { try links.route(for: Link($0)) }, unreachable: links.unreachable)
        }

        /// Creates a subject from functions, for tests of the laws with a faulty table.
        package init(
            _ name: String, _ routes: Generator<R>, print: @escaping @Sendable (R) throws -> String,
            parse: @escaping @Sendable (String) throws -> R, unreachable: [String] = []
        ) {
            description = name
            self.routes = routes
            self.print = print
            self.parse = parse
            self.unreachable = unreachable
        }
    }

    /// Returns all laws for a type of route.
    public static func all<R: Route>(for type: R.Type) -> [Law<Subject<R>>] {
        [
            Law("every description is reached") { subject in
                try require(
                    subject.unreachable.isEmpty,
                    subject.unreachable.joined(separator: ", ") + "; move it up, or take it out")
            },
            Law("every route has a link", forEach: { $0.routes }) { subject, route in
                do { _ = try subject.print(route) } catch {
                    throw FailedRequirement(found: "\(route) has none: \(error)")
                }
            },
            Law("a route's link leads back to it", forEach: { $0.routes }, runs: 300) { subject, route in
                guard let link = subject.link(to: route) else { return }
                let found: R
                do { found = try subject.parse(link) } catch {
                    throw FailedRequirement(found: "\(link) was refused: \(error)")
                }
                try require(found == route, "\(link) leads to \(found)")
            },
            Law("a link is printed in its canonical form", forEach: { $0.routes }) { subject, route in
                guard let link = subject.link(to: route) else { return }
                try require(try Link(link).description == link, "\(link) is no canonical form")
            },
            Law("another spelling of a link leads to the same route", forEach: Self.spelled, runs: 300) {
                subject, spelled in
                guard let link = subject.link(to: spelled.route), let route = subject.route(for: link) else { return }
                let other = try spelled.spelling.write(Link(link))
                let found: R
                do { found = try subject.parse(other) } catch {
                    throw FailedRequirement(found: "\(other) was refused: \(error)")
                }
                try require(found == route, "\(link) leads to \(route), but \(other) to \(found)")
            },
            Law("the link printed for a parsed route leads to that route", forEach: Self.altered, runs: 500) {
                subject, altered in
                // Routes that no generator makes are reached only by links from elsewhere, so links
                // are changed at random.
                guard let link = subject.link(to: altered.route),
                    let read = subject.route(for: altered.alteration.change(link)),
                    // If the altered link leads to the same route, the earlier laws have covered
                    // it.
                    read != altered.route
                else { return }
                let own: String
                do { own = try subject.print(read) } catch {
                    throw FailedRequirement(
                        found: "\(altered.alteration.change(link)) leads to \(read), which has no link: \(error)")
                }
                let found = subject.route(for: own)
                try require(
                    found == read,
                    "\(altered.alteration.change(link)) leads to \(read), whose link \(own) leads to "
                        + (found.map { "\($0)" } ?? "no route"))
            },
        ]
    }

    private static func spelled<R>(_ subject: Subject<R>) -> Generator<(route: R, spelling: LinkSpelling)> {
        Generator.zip(subject.routes, LinkSpelling.any).map { (route: $0, spelling: $1) }
    }

    private static func altered<R>(_ subject: Subject<R>) -> Generator<(route: R, alteration: LinkAlteration)> {
        Generator.zip(subject.routes, LinkAlteration.any).map { (route: $0, alteration: $1) }
    }
}

extension RouteLaws.Subject {
    /// Returns the link of a route; nil if there is none.
    ///
    /// The law "every route has a link" reports that.
    fileprivate func link(to route: R) -> String? {
        do { return try print(route) } catch { return nil }
    }

    /// Returns the route of a link; nil if there is none.
    fileprivate func route(for link: String) -> R? {
        do { return try parse(link) } catch { return nil }
    }
}
