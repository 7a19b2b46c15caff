/// A key that no type declares: of an array's element, a dictionary, or a super decoder.
struct ElementKey: CodingKey {
    let stringValue: String
    let intValue: Int?
    let isIndex: Bool

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
        isIndex = true
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
        isIndex = false
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
        isIndex = false
    }

    /// Creates a key like those of the standard library's dictionaries.
    init(dictionaryKey: String) {
        stringValue = dictionaryKey
        intValue = Int(dictionaryKey)
        isIndex = false
    }

    static let `super` = ElementKey(stringValue: "super")
}
