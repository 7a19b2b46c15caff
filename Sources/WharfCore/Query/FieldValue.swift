internal import WharfPrimitives

/// What a field of an entity holds, in the forms that every store compares alike: in memory, in SQL
/// and across a URL.
///
/// Values have one order: null, then numbers by size, then texts by the bytes of their UTF-8. A
/// number has one form, whatever it was made of: `FieldValue(1.0)` is `FieldValue(1)`. NaN, which
/// has no place in an order, is null.
public struct FieldValue: Sendable {
    package enum Form: Sendable {
        case null
        case integer(Int64)
        /// Neither NaN nor a whole number that `Int64` holds.
        case real(Double)
        case text(String)
    }

    package let form: Form

    public static let null = FieldValue(form: .null)

    private init(form: Form) {
        self.form = form
    }

    public init(_ value: Int64) { form = .integer(value) }

    public init(_ value: Double) {
        if value.isNaN { form = .null } else { form = Int64(exactly: value).map(Form.integer) ?? .real(value) }
    }

    public init(_ value: String) { form = .text(value) }

    public var isNull: Bool { if case .null = form { true } else { false } }

    /// The whole number that it is; nil for anything else.
    public var integer: Int64? { if case .integer(let value) = form { value } else { nil } }

    /// The number that it is, rounded to a `Double`; nil for anything else.
    public var number: Double? {
        switch form {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .null, .text: nil
        }
    }

    /// The text that it is; nil for anything else.
    public var text: String? { if case .text(let value) = form { value } else { nil } }
}

extension FieldValue: Comparable {
    public static func == (a: Self, b: Self) -> Bool {
        switch (a.form, b.form) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        // By bytes and not by canonical equivalence, as databases do.
        case (.text(let a), .text(let b)): UTF8Key(a) == UTF8Key(b)
        default: false
        }
    }

    public static func < (a: Self, b: Self) -> Bool {
        switch (a.form, b.form) {
        case (.integer(let a), .integer(let b)): a < b
        case (.real(let a), .real(let b)): a < b
        case (.integer(let a), .real(let b)): isLess(a, b)
        case (.real(let a), .integer(let b)): !isLess(b, a)
        case (.text(let a), .text(let b)): UTF8Key(a) < UTF8Key(b)
        default: a.rank < b.rank
        }
    }

    /// Exact: a `Double` of the integer would be rounded.
    private static func isLess(_ whole: Int64, _ real: Double) -> Bool {
        // A real between the ends of Int64 is no whole number, and below 2^53, where integers are
        // exact.
        Int64(exactly: real.rounded(.down)).map { whole <= $0 } ?? (real > 0)
    }

    private var rank: Int {
        switch form {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        }
    }

    /// Whether two values can be compared by size: both numbers, or both texts.
    func isComparable(to other: FieldValue) -> Bool { rank == other.rank && rank > 0 }
}

extension FieldValue: Hashable {
    public func hash(into hasher: inout Hasher) {
        switch form {
        case .null: hasher.combine(0 as UInt8)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): hasher.combine(UTF8Key(value))
        }
    }
}

extension FieldValue: CustomStringConvertible {
    public var description: String {
        switch form {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "\"\(value)\""
        }
    }
}
