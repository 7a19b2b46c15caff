/// The smallest input that was found for which a condition does not hold.
public struct Counterexample: Error, Sendable, CustomStringConvertible {
    /// A description of the input.
    public let input: String
    /// The result that was found, in place of the expected one.
    public let found: String
    /// The seed that reproduces the failure, as `WHARF_SEED` or as a parameter.
    ///
    /// Its input is the first one tried.
    public let seed: UInt64
    /// The number of inputs that were tried up to the failing one.
    public let tried: Int
    /// The number of times that the failing input was made smaller.
    public let shrinks: Int

    public var description: String { "\(found)\n\(details)" }

    var details: String {
        """
          smallest failing input: \(input)
          inputs tried: \(tried), steps of shrinking: \(shrinks), to run it again: WHARF_SEED=\(seed)
        """
    }

    /// Describes the input. The elements of a long array are on separate lines.
    static func describe(_ input: Any) -> String {
        if let text = input as? String { return text.debugDescription }
        guard let elements = input as? [Any] else { return String(describing: input) }
        let descriptions = elements.map(describe)
        let line = "[\(descriptions.joined(separator: ", "))]"
        return line.count <= 80 ? line : "[" + descriptions.map { "\n    \($0)" }.joined() + "\n  ]"
    }
}
