/// What came of decoding one value.
struct Examined<Value> {
    /// The value; where decoding failed, one that can stand in for it, if there is any.
    var value: Value?
    /// What decoding threw, with all as it stands in the document.
    var failure: (any Error)?
    /// What is wrong, in the order in which it was found. Empty where nothing failed.
    var findings: [Finding] = []
}

extension Examined {
    static func good(_ value: Value) -> Examined { Examined(value: value) }
}
