internal import WharfCore
internal import WharfPrimitives

/// A path below an environment's base URL, percent-encoded.
///
/// ```swift
/// let path: RequestPath = "users/\(name)/photos"
/// ```
///
/// Literal text is read as a path. `/` separates segments, and `%2F` stays as it is. Characters
/// that a path can't hold are encoded (RFC 3986 §3.3). An interpolated value is read as data: it
/// stays inside its segment, so a `/`, `?` or `%` in it is encoded.
///
/// A request is not sent and fails with ``ReadFailure/Code/invalidRequest`` if
/// - interpolated values make a whole segment empty, `.` or `..`, which would address another
///   resource even when encoded,
/// - a literal `%` is not followed by two hexadecimal digits: write `%25` for a percent sign.
public struct RequestPath: Sendable, Hashable {
    /// The path as it is sent. A leading slash makes no difference.
    public let encoded: String
    /// The reason why the path can't be sent; nil if it can.
    let fault: String?

    /// Creates a path from text that is known only at run time, read like a literal.
    public init(_ path: String) {
        self.encoded = PercentEncoding.path(path)
        self.fault = InvalidEscape(in: path)?.message
    }

    /// Returns this path with one more segment, which may hold any characters.
    public func appending(segment: some CustomStringConvertible) -> RequestPath {
        var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 1)
        interpolation.appendInterpolation(segment)
        let (tail, tailFault) = interpolation.finished()
        let separator = encoded.hasSuffix("/") || encoded.isEmpty ? "" : "/"
        return RequestPath(encoded: encoded + separator + tail, fault: fault ?? tailFault)
    }

    private init(encoded: String, fault: String?) {
        self.encoded = encoded
        self.fault = fault
    }
}

extension RequestPath: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self.init(value) }

    public init(stringInterpolation: StringInterpolation) {
        let (encoded, fault) = stringInterpolation.finished()
        self.init(encoded: encoded, fault: fault)
    }

    /// Collects literals and values; the compiler calls it.
    public struct StringInterpolation: StringInterpolationProtocol {
        private var encoded = ""
        /// The decoded text of the last segment so far.
        private var segment = ""
        /// Whether the last segment has an interpolated value.
        private var segmentHasValue = false
        private var fault: String?

        public init(literalCapacity: Int, interpolationCount: Int) {
            encoded.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            // The first fault is kept: it is nearest to the mistake.
            fault = fault ?? InvalidEscape(in: literal, after: encoded)?.message
            encoded += PercentEncoding.path(literal)
            let pieces = literal.split(separator: "/", omittingEmptySubsequences: false)
            for (index, piece) in pieces.enumerated() {
                // Each slash of the literal ends a segment. Slashes of values are encoded and end
                // none.
                if index > 0 { endSegment() }
                segment += piece
            }
        }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            let text = value.description
            encoded += PercentEncoding.data(text)
            segment += text
            segmentHasValue = true
        }

        private mutating func endSegment() {
            // A literal `..` is the developer's own; one from a value is an attack or a mistake.
            if segmentHasValue, segment.isEmpty || segment == "." || segment == ".." {
                fault =
                    fault
                    ?? "expected a value that can be a path segment, found \"\(segment)\" in \"\(encoded)\", "
                    + "which would address another resource; check the value before making the request"
            }
            segment = ""
            segmentHasValue = false
        }

        fileprivate func finished() -> (encoded: String, fault: String?) {
            var copy = self
            copy.endSegment()
            return (copy.encoded, copy.fault)
        }
    }
}

extension RequestPath: CustomStringConvertible {
    public var description: String { encoded }
}
