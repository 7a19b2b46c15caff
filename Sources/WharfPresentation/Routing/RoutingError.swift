/// Why a link leads nowhere, or a route can't be shown.
public struct RoutingError: Error, Sendable {
    /// What went wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// Not an absolute URL by RFC 3986; ``RoutingError/offset`` says where.
        public static let malformedLink = Self("malformedLink")
        /// A `%` without two hexadecimal digits behind it, or escapes that are no UTF-8;
        /// ``RoutingError/offset`` says where.
        public static let malformedEscape = Self("malformedEscape")
        public static let unknownScheme = Self("unknownScheme")
        /// A link to somebody else's site.
        public static let unknownHost = Self("unknownHost")
        public static let unknownPath = Self("unknownPath")
        /// A part of the path or a query item is not what the route needs.
        public static let invalidValue = Self("invalidValue")
        /// A query item that the route needs is not there.
        public static let missingQuery = Self("missingQuery")
        /// A query item that the route takes once is there more than once.
        public static let repeatedQuery = Self("repeatedQuery")
        /// A query item that the route does not know, where the table refuses them.
        public static let unknownQuery = Self("unknownQuery")
        /// The table has no link for this route.
        public static let noLink = Self("noLink")
        /// A value that a URL can't carry at this place.
        public static let unprintable = Self("unprintable")
        /// A guard refused the route.
        public static let refused = Self("refused")
        /// Guards redirect in a circle, or without an end.
        public static let redirectLoop = Self("redirectLoop")
        /// A route that was to be selected, or to which a guard redirected a tab, is no tab.
        public static let unknownTab = Self("unknownTab")
        /// A guard or `willNavigate` asked its router to navigate.
        public static let alreadyNavigating = Self("alreadyNavigating")
        /// A saved state was changed, or was saved by something else.
        public static let invalidSavedState = Self("invalidSavedState")
        /// It was over or behind a route that can't be restored, or held before something else was.
        public static let leftOut = Self("leftOut")
    }

    public let code: Code
    /// What was expected, what was found, where, and what to do. Of a link no value of the query is
    /// repeated: it may be a secret. A route is named as it describes itself.
    public let message: String
    /// Where in the link, counted in bytes of its UTF-8 from zero.
    public let offset: Int?
    /// Of a route that is left out, why the one that it was reached through can't be shown.
    public let cause: (any Error)?

    public init(_ code: Code, message: String, offset: Int? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
        self.cause = cause
    }
}

/// The cause is left aside: errors in general can't be compared.
extension RoutingError: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.message == right.message && left.offset == right.offset
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(offset)
    }
}

extension RoutingError: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}
