/// The smallest input for which something does not hold, as far as it was found.
public struct Counterexample: Error, Sendable, CustomStringConvertible {
    /// The input in words.
    public let input: String
    /// What was seen in place of what should be.
    public let found: String
    /// Brings the failure back, as `WHARF_SEED` or as a parameter: its input is the first that is
    /// tried.
    public let seed: UInt64
    /// How many inputs were tried until one failed.
    public let tried: Int
    /// How many times that one was made smaller.
    public let shrinks: Int

    public var description: String { "\(found)\n\(details)" }

    var details: String {
        """
          smallest failing input: \(input)
          inputs tried: \(tried), steps of shrinking: \(shrinks), to run it again: WHARF_SEED=\(seed)
        """
    }

    /// Each element of a long array on a line of its own.
    static func describe(_ input: Any) -> String {
        if let text = input as? String { return text.debugDescription }
        guard let elements = input as? [Any] else { return String(describing: input) }
        let descriptions = elements.map(describe)
        let line = "[\(descriptions.joined(separator: ", "))]"
        return line.count <= 80 ? line : "[" + descriptions.map { "\n    \($0)" }.joined() + "\n  ]"
    }
}
