/// What came of decoding one value.
struct Examined<Value> {
    /// The value; where decoding failed, one that can stand in for it, if there is any.
    var value: Value?
    /// Others that could stand in as well, to see whether it matters which does.
    var alternatives: [Value] = []
    /// What decoding threw, with all as it stands in the document.
    var failure: (any Error)?
    /// What is wrong, in the order in which it was found. Empty where nothing failed.
    var findings: [Finding] = []
}

extension Examined {
    static func good(_ value: Value) -> Examined { Examined(value: value) }

    /// With what stands in for a value that could not be decoded.
    init(failure: any Error, findings: [Finding], standIns: [Value]) {
        self.init(
            value: standIns.first, alternatives: Array(standIns.dropFirst()), failure: failure, findings: findings)
    }
}

/// An ``Examined`` of any type.
protocol Outcome {
    var failure: (any Error)? { get }
    var findings: [Finding] { get }
    var canStandIn: Bool { get }
    var alternativeCount: Int { get }
}

extension Examined: Outcome {
    var canStandIn: Bool { value != nil }
    var alternativeCount: Int { alternatives.count }
}
