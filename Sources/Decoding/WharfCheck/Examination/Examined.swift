/// The result of decoding one value.
struct Examined<Value> {
    /// The value; if decoding failed, a stand-in for it, if there is one.
    var value: Value?
    /// Other stand-ins, used to see whether the choice matters.
    var alternatives: [Value] = []
    /// The error that decoding threw for the document as it is, without stand-ins.
    var failure: (any Error)?
    /// The faults in the order in which they were found; empty if nothing failed.
    var findings: [Finding] = []
}

extension Examined {
    static func good(_ value: Value) -> Examined { Examined(value: value) }

    /// Creates the result for a value that could not be decoded.
    init(failure: any Error, findings: [Finding], standIns: [Value]) {
        self.init(
            value: standIns.first, alternatives: Array(standIns.dropFirst()), failure: failure, findings: findings)
    }
}

/// A type-erased ``Examined``.
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
