/// The beginning of a link's description: the parts of the path that are always the same, decoded.
///
/// ```swift
/// LinkPath("films/popular")
/// LinkPath("film").segment(.int).path("reviews").query("page", optional: .int)
/// ```
///
/// As in any URL, upper and lower case are different.
public struct LinkPath: Sendable {
    let segments: [String]

    /// - Parameter path: segments with slashes between them, none of them empty; nothing for the root.
    public init(_ path: String = "") {
        segments = Self.segments(path)
    }

    /// A value as the next part of the path.
    public func segment<Value>(_ value: LinkValue<Value>) -> LinkPattern<Value> {
        LinkPattern(
            segments: segments + [nil], names: [], fields: LinkField<Value>.segment(segments.count, value))
    }

    /// A value that has to be in the query.
    public func query<Value>(_ name: String, _ value: LinkValue<Value>) -> LinkPattern<Value> {
        LinkPattern(segments: segments, names: [name], fields: LinkField<Value>.query(name, value))
    }

    /// A value that may be in the query.
    public func query<Value>(_ name: String, optional value: LinkValue<Value>) -> LinkPattern<Value?> {
        LinkPattern(segments: segments, names: [name], fields: LinkField<Value?>.query(name, optional: value))
    }

    /// The link of one route without values.
    public func route<R: Route>(_ route: R) -> RouteLink<R> {
        RouteLink(segments: segments, names: []) { _ in
            route
        } print: { [segments] other in
            other == route ? LinkDraft(path: segments) : nil
        }
    }

    static func segments(_ path: String) -> [String] {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !path.isEmpty else { return [] }
        precondition(
            !segments.contains { ["", ".", ".."].contains($0) },
            "expected a path such as \"films/popular\", without empty parts and dots, found \"\(path)\"")
        return segments
    }
}
