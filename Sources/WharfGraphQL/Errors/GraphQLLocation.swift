/// A place in a document.
public struct GraphQLLocation: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// In bytes of UTF-8, from 0.
    public let offset: Int
    /// From 1; a line ends with a line feed, a carriage return, or both (September 2025 §2.1.2).
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

extension GraphQLLocation {
    /// - Complexity: O(`offset`).
    init(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, bytes.count) {
            switch bytes[index] {
            case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: column += 1
            case 0x0A, 0x0D: (line, column) = (line + 1, 1)
            case 0x80...0xBF: break
            default: column += 1
            }
        }
        self.init(offset: offset, line: line, column: column)
    }
}
