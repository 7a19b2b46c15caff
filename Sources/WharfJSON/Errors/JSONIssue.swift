/// One thing that is wrong with a document, and where.
public struct JSONIssue: Sendable, Hashable {
    /// What kind of fault it is. More may come, so a `switch` needs a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// Breaks the grammar of RFC 8259. Nothing behind it was read.
        public static let syntax = Code("syntax")
        /// A string or key that is not UTF-8 (RFC 3629). Nothing behind it was read.
        public static let invalidUTF8 = Code("invalidUTF8")
        /// Arrays and objects nest deeper than ``JSONReadingOptions/maximumDepth``, or than the
        /// stack has room for. Nothing behind it was read.
        public static let tooDeep = Code("tooDeep")
        /// Unions whose tag comes last nest so deep that reading them again and again would take
        /// more than linear time.
        public static let tooManyRewinds = Code("tooManyRewinds")
        /// An object lacks a key that has no default.
        public static let missingKey = Code("missingKey")
        /// Another kind of value than the one expected.
        public static let typeMismatch = Code("typeMismatch")
        /// A number that the type can't hold.
        public static let outOfRange = Code("outOfRange")
        /// A text or number that is none of an enumeration's, or no known kind of a union.
        public static let unknownCase = Code("unknownCase")
        /// A value of the right kind that means nothing, such as a date in no known form.
        public static let invalidValue = Code("invalidValue")
        /// A key that the object had already, where ``JSONReadingOptions/DuplicateKeys/reject`` is
        /// asked for.
        public static let duplicateKey = Code("duplicateKey")
        /// A value that JSON can't express, such as an infinite number; found while encoding.
        public static let notEncodable = Code("notEncodable")
    }

    public let code: Code
    /// To the value that is wrong, or that is missing.
    public let path: JSONPath
    /// Of the value; for a missing key, of the object that lacks it.
    public let location: SourceLocation
    /// What would have been right, as in "a whole number (Int)".
    public let expected: String
    /// What stands there, as in `the string "12"`.
    public let found: String
    /// The piece of the line around the place, at most 72 characters, control characters shown as
    /// blanks.
    public let excerpt: String
    /// How many characters of ``excerpt`` come before the place.
    public let caret: Int

    public init(
        code: Code, path: JSONPath, location: SourceLocation, expected: String, found: String, excerpt: String,
        caret: Int
    ) {
        self.code = code
        self.path = path
        self.location = location
        self.expected = expected
        self.found = found
        self.excerpt = excerpt
        self.caret = caret
    }
}

extension JSONIssue {
    /// One line without the excerpt:
    /// `3:14: shapes[2].length: expected a number, found the string "x"`.
    public var summary: String {
        "\(location): \(path.isEmpty ? "" : "\(path): ")expected \(expected), found \(found)"
    }
}

extension JSONIssue: CustomStringConvertible {
    /// The summary, then the excerpt with a caret below the place.
    public var description: String {
        excerpt.isEmpty ? summary : "\(summary)\n    \(excerpt)\n    \(String(repeating: " ", count: caret))^"
    }
}

/// A place in a text.
public struct SourceLocation: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// In bytes, from 0.
    public let offset: Int
    /// From 1; a line ends with a line feed.
    public let line: Int
    /// From 1, in Unicode scalars, as most editors count.
    public let column: Int

    public init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }

    /// As compilers write it: `line:column`.
    public var description: String { "\(line):\(column)" }
}
