/// A row of a list: which section, and which row of that section, both from zero.
public struct ListPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    public var section: Int
    public var row: Int

    @inlinable public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }

    /// The section and the row, as `2.0`.
    public var description: String { "\(section).\(row)" }

    /// The order in which a list shows its rows.
    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}
