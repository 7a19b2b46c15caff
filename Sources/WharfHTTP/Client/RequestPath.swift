internal import WharfCore
internal import WharfPrimitives

/// A path below an environment's base URL, percent-encoded.
///
/// ```swift
/// let path: RequestPath = "users/\(name)/photos"
/// ```
///
/// What is written out is a path: `/` separates, `%2F` stays as it is, characters that a path can't
/// hold are encoded (RFC 3986 §3.3). An interpolated value is data: it stays inside its segment
/// whatever it holds, so a `/`, `?` or `%` in it is encoded. Values that make a whole segment
/// empty, `.` or `..` would address another resource however they are encoded; a request with such
/// a path fails with ``ReadFailure/Code/invalidRequest`` and is not sent. A `%` that is written out
/// and has no two hexadecimal digits behind it fails likewise: write `%25` for a percent sign.
public struct RequestPath: Sendable, Hashable {
    /// As it goes on the wire; with or without a leading slash, which means the same.
    public let encoded: String
    /// Why the path can't be sent.
    let fault: String?

    /// A path that is known at run time only; read like one that is written out.
    public init(_ path: String) {
        self.encoded = PercentEncoding.path(path)
        self.fault = InvalidEscape(in: path)?.message
    }

    /// This path and one more segment, which may hold any characters.
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

    public struct StringInterpolation: StringInterpolationProtocol {
        private var encoded = ""
        /// Decoded text of the segment at the end, and whether a value takes part in it.
        private var segment = ""
        private var segmentHasValue = false
        private var fault: String?

        public init(literalCapacity: Int, interpolationCount: Int) {
            encoded.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            fault = fault ?? InvalidEscape(in: literal, after: encoded)?.message
            encoded += PercentEncoding.path(literal)
            let pieces = literal.split(separator: "/", omittingEmptySubsequences: false)
            for (index, piece) in pieces.enumerated() {
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
