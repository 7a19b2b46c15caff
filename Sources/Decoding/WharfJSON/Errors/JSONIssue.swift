/// One error in a document, with its place.
public struct JSONIssue: Sendable, Hashable {
    /// The kind of an error.
    ///
    /// New versions may add kinds, so a `switch` needs a default.
    public struct Code: ErrorCode {
        /// The identifier, as in `missingKey`.
        public let name: String
        /// Creates a kind of error with an identifier.
        public init(_ name: String) { self.name = name }

        /// The document breaks the grammar of RFC 8259. Nothing after it was read.
        public static let syntax = Code("syntax")
        /// A string or key is not UTF-8 (RFC 3629). Nothing after it was read.
        public static let invalidUTF8 = Code("invalidUTF8")
        /// The nesting exceeds ``JSONReadingOptions/maximumDepth`` or the stack.
        ///
        /// Nothing after it was read.
        public static let tooDeep = Code("tooDeep")
        /// Unions with the tag last nest too deep.
        ///
        /// Rereading them would take more than linear time.
        public static let tooManyRewinds = Code("tooManyRewinds")
        /// An object lacks a key that has no default.
        public static let missingKey = Code("missingKey")
        /// A value of another kind than the expected one.
        public static let typeMismatch = Code("typeMismatch")
        /// A number that the type can't hold.
        public static let outOfRange = Code("outOfRange")
        /// A text or number that is no known case of an enumeration, or no known tag.
        public static let unknownCase = Code("unknownCase")
        /// A value of the right kind without a meaning, such as a date in no known format.
        public static let invalidValue = Code("invalidValue")
        /// A repeated key, if ``JSONReadingOptions/DuplicateKeys/reject`` is set.
        public static let duplicateKey = Code("duplicateKey")
        /// A value that JSON can't express, such as an infinite number; found on encoding.
        public static let notEncodable = Code("notEncodable")
    }

    /// The kind of error.
    public let code: Code
    /// The path to the wrong or missing value.
    public let path: JSONPath
    /// The place of the value; for a missing key, of the object that lacks it.
    public let location: SourceLocation
    /// The expected value, as in "a whole number (Int)".
    public let expected: String
    /// The found value, as in `the string "12"`.
    public let found: String
    /// The part of the line around the place.
    public let excerpt: SourceExcerpt

    /// Creates an issue.
    public init(
        code: Code, path: JSONPath, location: SourceLocation, expected: String, found: String, excerpt: SourceExcerpt
    ) {
        self.code = code
        self.path = path
        self.location = location
        self.expected = expected
        self.found = found
        self.excerpt = excerpt
    }
}

extension JSONIssue {
    /// The issue in one line, without the excerpt.
    ///
    /// An example is `3:14: shapes[2].length: expected a number, found the string "x"`.
    public var summary: String {
        "\(location): \(path.isEmpty ? "" : "\(path): ")expected \(expected), found \(found)"
    }
}

extension JSONIssue: CustomStringConvertible {
    /// The summary, then the excerpt with a caret below the place.
    public var description: String {
        excerpt.text.isEmpty
            ? summary : "\(summary)\n    \(excerpt.text)\n    \(String(repeating: " ", count: excerpt.caret))^"
    }
}

/// A place in a text.
public struct SourceLocation: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The offset in bytes, from 0.
    public let offset: Int
    /// The line, from 1; a line ends with a line feed.
    public let line: Int
    /// The column, from 1, in Unicode scalars, as most editors count.
    public let column: Int

    /// Creates a location.
    public init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }

    /// The location as compilers write it: `line:column`.
    public var description: String { "\(line):\(column)" }
}
