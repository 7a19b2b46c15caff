/// The position of a row: the indices of its section and of the row, from zero.
public struct ListPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The index of the section.
    public var section: Int
    /// The index of the row in its section.
    public var row: Int

    /// Creates the position of a row.
    @inlinable public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }

    /// The section and the row, as in `2.0`.
    public var description: String { "\(section).\(row)" }

    /// The order in which a list shows its rows.
    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}
