public import WharfCore

/// The reason why a link has no route, or a route cannot be shown.
public struct RoutingError: CodedError, Sendable {
    /// The kind of a routing error, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in descriptions.
        public let name: String
        /// Creates a code, such as for errors of your own.
        public init(_ name: String) { self.name = name }

        /// The text is not an absolute URL by RFC 3986; ``RoutingError/offset`` says where.
        public static let malformedLink = Self("malformedLink")
        /// A `%` without two hexadecimal digits, or escapes that are not UTF-8.
        ///
        /// ``RoutingError/offset`` says where.
        public static let malformedEscape = Self("malformedEscape")
        /// The table has no links with this scheme.
        public static let unknownScheme = Self("unknownScheme")
        /// The host of the link is not one of the table.
        public static let unknownHost = Self("unknownHost")
        /// No description of the table fits the path.
        public static let unknownPath = Self("unknownPath")
        /// A part of the path or a query item has a text that the route does not accept.
        public static let invalidValue = Self("invalidValue")
        /// A query item that the route needs is missing.
        public static let missingQuery = Self("missingQuery")
        /// A query item that the route takes once occurs more than once.
        public static let repeatedQuery = Self("repeatedQuery")
        /// The link has a query item that the route does not know, and the rule refuses it.
        public static let unknownQuery = Self("unknownQuery")
        /// The table has no link for this route.
        public static let noLink = Self("noLink")
        /// A URL cannot carry the value at this place.
        public static let unprintable = Self("unprintable")
        /// A guard refused the route.
        public static let refused = Self("refused")
        /// Guards redirect in a loop, or too many times.
        public static let redirectLoop = Self("redirectLoop")
        /// A route to select, or the route that a guard redirected a tab to, is not a tab.
        public static let unknownTab = Self("unknownTab")
        /// A guard, `willNavigate` or an observer tried to navigate during a navigation.
        public static let alreadyNavigating = Self("alreadyNavigating")
        /// The saved text is damaged, or ``Router/save()`` did not make it.
        public static let invalidSavedState = Self("invalidSavedState")
        /// A route or navigation is missing from the result.
        ///
        /// It was reached through a route that cannot be saved or restored, or was replaced by a
        /// newer held navigation.
        public static let leftOut = Self("leftOut")
    }

    /// The kind of the error, for switching.
    public let code: Code
    /// The expected and the found input, its place, and the remedy.
    ///
    /// Query values of links are left out, because they may be secrets. A route appears by its own
    /// description.
    public let message: String
    /// The place in the link, in bytes of its UTF-8 from zero.
    public let offset: Int?
    /// The error of the route that a route left out was reached through.
    public let cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, message: String, offset: Int? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
        self.cause = cause
    }
}

/// Compares without the cause, because errors in general are not comparable.
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
