/// A place in a document.
public struct GraphQLLocation: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The offset in bytes of UTF-8, counted from 0.
    public let offset: Int
    /// The line, counted from 1.
    ///
    /// A line ends with a line feed, a carriage return, or both (September 2025 §2.1.2).
    public let line: Int
    /// The column in Unicode scalars, counted from 1, as in most editors.
    public let column: Int

    /// Creates a location.
    public init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }

    /// The location in the form of compilers: `line:column`.
    public var description: String { "\(line):\(column)" }
}

extension GraphQLLocation {
    /// Computes the line and the column of an offset.
    ///
    /// - Complexity: O(`offset`).
    init(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, bytes.count) {
            switch bytes[index] {
            // CR LF is one line end: the CR counts as a column of its line.
            case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: column += 1
            case 0x0A, 0x0D: (line, column) = (line + 1, 1)
            // Continuation bytes belong to the scalar before them.
            case 0x80...0xBF: break
            default: column += 1
            }
        }
        self.init(offset: offset, line: line, column: column)
    }
}
