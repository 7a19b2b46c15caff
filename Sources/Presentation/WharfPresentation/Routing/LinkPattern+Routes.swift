// One overload for each number of values, up to eight. A declaration over a parameter pack does not
// compile at the end of a chain of calls. Swift 6.3 cannot match the pack of the chain with the
// packs of the closures ("requires the types … be equivalent").
extension LinkPattern {
    /// Returns the link of one route without values.
    public func route<R: Route>(_ route: R) -> RouteLink<R> where Values == Void {
        link { _ in
            route
        } values: { other in
            other == route ? () : nil
        }
    }

    /// Returns the link of the routes with one value.
    ///
    /// - Parameters:
    ///   - make: makes the route of a value, such as a case of an enum.
    ///   - values: returns the value of a route, or nil if the route has another link. For a link
    ///     that is parsed and never printed, such as a former one, pass `{ _ in nil }`.
    public func route<R: Route, A: Sendable>(
        _ make: @escaping @Sendable (A) -> R, values: @escaping @Sendable (R) -> A?
    ) -> RouteLink<R> where Values == LinkValues1<A> {
        link {
            make($0.last)
        } values: {
            values($0).map { LinkValues1((), $0) }
        }
    }

    /// Returns the link of the routes with two values.
    public func route<R: Route, A: Sendable, B: Sendable>(
        _ make: @escaping @Sendable (A, B) -> R, values: @escaping @Sendable (R) -> (A, B)?
    ) -> RouteLink<R> where Values == LinkValues2<A, B> {
        link {
            make($0.earlier.last, $0.last)
        } values: {
            values($0).map { LinkValues1((), $0.0).and($0.1) }
        }
    }

    /// Returns the link of the routes with three values.
    public func route<R: Route, A: Sendable, B: Sendable, C: Sendable>(
        _ make: @escaping @Sendable (A, B, C) -> R, values: @escaping @Sendable (R) -> (A, B, C)?
    ) -> RouteLink<R> where Values == LinkValues3<A, B, C> {
        link {
            make($0.earlier.earlier.last, $0.earlier.last, $0.last)
        } values: {
            values($0).map { LinkValues1((), $0.0).and($0.1).and($0.2) }
        }
    }

    /// Returns the link of the routes with four values.
    public func route<R: Route, A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
        _ make: @escaping @Sendable (A, B, C, D) -> R, values: @escaping @Sendable (R) -> (A, B, C, D)?
    ) -> RouteLink<R> where Values == LinkValues4<A, B, C, D> {
        link {
            make($0.earlier.earlier.earlier.last, $0.earlier.earlier.last, $0.earlier.last, $0.last)
        } values: {
            values($0).map { LinkValues1((), $0.0).and($0.1).and($0.2).and($0.3) }
        }
    }

    /// Returns the link of the routes with five values.
    public func route<R: Route, A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
        _ make: @escaping @Sendable (A, B, C, D, E) -> R, values: @escaping @Sendable (R) -> (A, B, C, D, E)?
    ) -> RouteLink<R> where Values == LinkValues5<A, B, C, D, E> {
        link {
            make(
                $0.earlier.earlier.earlier.earlier.last, $0.earlier.earlier.earlier.last, $0.earlier.earlier.last,
                $0.earlier.last, $0.last)
        } values: {
            values($0).map { LinkValues1((), $0.0).and($0.1).and($0.2).and($0.3).and($0.4) }
        }
    }

    /// Returns the link of the routes with six values.
    public func route<R: Route, A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable>(
        _ make: @escaping @Sendable (A, B, C, D, E, F) -> R, values: @escaping @Sendable (R) -> (A, B, C, D, E, F)?
    ) -> RouteLink<R> where Values == LinkValues6<A, B, C, D, E, F> {
        link {
            make(
                $0.earlier.earlier.earlier.earlier.earlier.last, $0.earlier.earlier.earlier.earlier.last,
                $0.earlier.earlier.earlier.last, $0.earlier.earlier.last, $0.earlier.last, $0.last)
        } values: {
            values($0).map { LinkValues1((), $0.0).and($0.1).and($0.2).and($0.3).and($0.4).and($0.5) }
        }
    }

    /// Returns the link of the routes with seven values.
    public func route<
        R: Route, A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable
    >(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G) -> R,
        values: @escaping @Sendable (R) -> (A, B, C, D, E, F, G)?
    ) -> RouteLink<R> where Values == LinkValues7<A, B, C, D, E, F, G> {
        link {
            make(
                $0.earlier.earlier.earlier.earlier.earlier.earlier.last,
                $0.earlier.earlier.earlier.earlier.earlier.last, $0.earlier.earlier.earlier.earlier.last,
                $0.earlier.earlier.earlier.last, $0.earlier.earlier.last, $0.earlier.last, $0.last)
        } values: {
            values($0).map { LinkValues1((), $0.0).and($0.1).and($0.2).and($0.3).and($0.4).and($0.5).and($0.6) }
        }
    }

    /// Returns the link of the routes with eight values.
    public func route<
        R: Route, A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable
    >(
        _ make: @escaping @Sendable (A, B, C, D, E, F, G, H) -> R,
        values: @escaping @Sendable (R) -> (A, B, C, D, E, F, G, H)?
    ) -> RouteLink<R> where Values == LinkValues8<A, B, C, D, E, F, G, H> {
        link {
            make(
                $0.earlier.earlier.earlier.earlier.earlier.earlier.earlier.last,
                $0.earlier.earlier.earlier.earlier.earlier.earlier.last,
                $0.earlier.earlier.earlier.earlier.earlier.last, $0.earlier.earlier.earlier.earlier.last,
                $0.earlier.earlier.earlier.last, $0.earlier.earlier.last, $0.earlier.last, $0.last)
        } values: {
            values($0).map {
                LinkValues1((), $0.0).and($0.1).and($0.2).and($0.3).and($0.4).and($0.5).and($0.6).and($0.7)
            }
        }
    }

    private func link<R: Route>(
        _ make: @escaping @Sendable (Values) -> R, values: @escaping @Sendable (R) -> Values?
    ) -> RouteLink<R> {
        RouteLink(shape: shape) { [read] link throws(RoutingError) in
            make(try read(link))
        } print: { [shape, write] route throws(RoutingError) in
            guard let values = values(route) else { return nil }
            var draft = shape.draft
            try write(values, &draft)
            return draft
        }
    }
}
