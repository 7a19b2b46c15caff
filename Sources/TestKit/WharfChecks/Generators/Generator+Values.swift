extension Generator where Value: FixedWidthInteger & Sendable {
    /// Draws integers of the range.
    ///
    /// They shrink toward zero, or toward the bound that is nearest to zero. A positive number is
    /// smaller than its negative.
    ///
    /// In a wide range, bounds, zero and small numbers are drawn more often.
    public static func int(in range: ClosedRange<Value>) -> Generator<Value> {
        precondition(Value.bitWidth <= 64, "\(Value.self) has more than 64 bits; generate a smaller integer")
        let (lower, upper) = (range.lowerBound, range.upperBound)
        if lower >= 0 {
            return Generator<UInt64>.offset(upTo: UInt64(upper - lower)).map { lower + Value($0) }
        }
        let (below, above) = (UInt64(lower.magnitude), UInt64(upper.magnitude))
        if upper <= 0 {
            return Generator<UInt64>.offset(upTo: below - above).map { upper &- Value(truncatingIfNeeded: $0) }
        }
        return Generator { choices in
            // Magnitude first, then sign: shrinking lowers the magnitude of a negative number
            // without passing through positive ones.
            let magnitude = try choices.draw(.offset(upTo: max(below, above), edge: min(below, above)))
            // If only one sign has this magnitude, the range leaves only that one.
            let isNegative = try choices.choose((magnitude > above ? 1 : 0)...(magnitude > below ? 0 : 1)) { random in
                UInt64.random(in: 0...1, using: &random)
            }
            return isNegative == 1 ? 0 &- Value(truncatingIfNeeded: magnitude) : Value(truncatingIfNeeded: magnitude)
        }
    }
}

extension Generator<UInt64> {
    /// Draws numbers from zero on. Half of them are near an end if there are more than a few.
    ///
    /// - Parameter edge: another number that is drawn as often as an end.
    fileprivate static func offset(upTo most: UInt64, edge: UInt64 = 0) -> Generator<UInt64> {
        Generator { choices in
            try choices.choose(0...most) { random in
                guard most > 32 else { return UInt64.random(in: 0...most, using: &random) }
                switch Int.random(in: 0..<8, using: &random) {
                // The ends, where off-by-one errors show.
                case 0: return [0, 1, edge, most - 1, most][Int.random(in: 0..<5, using: &random)]
                // A random number of bits, so that small numbers are as likely as large ones.
                case 1, 2:
                    let bits = Int.random(in: 1...(64 - most.leadingZeroBitCount), using: &random)
                    return UInt64.random(in: 0...(UInt64.max >> (64 - bits)), using: &random)
                default: return UInt64.random(in: 0...most, using: &random)
                }
            }
        }
    }
}

extension Generator where Value == Bool {
    /// Draws booleans, of which false is the smaller one.
    public static var bool: Generator<Bool> { Generator<Int>.int(in: 0...1).map { $0 == 1 } }
}

extension Generator {
    /// Draws one of the values, of which the first is the smallest.
    ///
    /// - Precondition: `values` is not empty.
    public static func element(of values: [Value]) -> Generator<Value> where Value: Sendable {
        precondition(!values.isEmpty, "there are no values to choose from; give at least one")
        return Generator<Int>.int(in: 0...(values.count - 1)).map { values[$0] }
    }

    /// Draws any case with the same probability. The first one is the smallest.
    public static func anyCase() -> Generator<Value> where Value: CaseIterable & Sendable {
        element(of: Array(Value.allCases))
    }

    /// Always returns the same value.
    public static func just(_ value: Value) -> Generator<Value> where Value: Sendable { Generator { _ in value } }
}
