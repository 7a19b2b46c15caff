internal import WharfPrimitives

/// The value of a field, which all stores compare alike.
///
/// They compare in memory, in SQL and across a URL. All values have one order: null, then numbers
/// by size, then texts by their UTF-8 bytes. A number has one form: `FieldValue(1.0)` is
/// `FieldValue(1)`. NaN is null, because it has no place in the order.
public struct FieldValue: Sendable {
    package enum Form: Sendable {
        case null
        case integer(Int64)
        /// A number that is neither NaN nor an integer in the range of `Int64`.
        case real(Double)
        case text(String)
    }

    package let form: Form

    /// The null value.
    public static let null = FieldValue(form: .null)

    private init(form: Form) {
        self.form = form
    }

    /// Creates an integer.
    public init(_ value: Int64) { form = .integer(value) }

    /// Creates a number; null for NaN.
    public init(_ value: Double) {
        if value.isNaN { form = .null } else { form = Int64(exactly: value).map(Form.integer) ?? .real(value) }
    }

    /// Creates a text.
    public init(_ value: String) { form = .text(value) }

    /// Whether the value is null.
    public var isNull: Bool { if case .null = form { true } else { false } }

    /// The integer; nil for another value.
    public var integer: Int64? { if case .integer(let value) = form { value } else { nil } }

    /// The number, rounded to a `Double`; nil for another value.
    public var number: Double? {
        switch form {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .null, .text: nil
        }
    }

    /// The text; nil for another value.
    public var text: String? { if case .text(let value) = form { value } else { nil } }
}

extension FieldValue: Comparable {
    public static func == (a: Self, b: Self) -> Bool {
        switch (a.form, b.form) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        // Compare bytes, as databases do, and not by canonical equivalence.
        case (.text(let a), .text(let b)): UTF8Key(a) == UTF8Key(b)
        default: false
        }
    }

    public static func < (a: Self, b: Self) -> Bool {
        switch (a.form, b.form) {
        case (.integer(let a), .integer(let b)): a < b
        case (.real(let a), .real(let b)): a < b
        case (.integer(let a), .real(let b)): isLess(a, b)
        // A real is never equal to an integer: `init(_:)` gives whole numbers the integer form.
        case (.real(let a), .integer(let b)): !isLess(b, a)
        case (.text(let a), .text(let b)): UTF8Key(a) < UTF8Key(b)
        default: a.rank < b.rank
        }
    }

    /// Compares exactly. A conversion of the integer to `Double` would round.
    private static func isLess(_ whole: Int64, _ real: Double) -> Bool {
        // A real in the range of Int64 is not an integer, so it is below 2^53, where integers are
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

    /// Returns whether two values are both numbers or both texts.
    func isComparable(to other: FieldValue) -> Bool { rank == other.rank && rank > 0 }
}

extension FieldValue: Hashable {
    public func hash(into hasher: inout Hasher) {
        switch form {
        case .null: hasher.combine(0 as UInt8)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        // By bytes, as `==` compares.
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
