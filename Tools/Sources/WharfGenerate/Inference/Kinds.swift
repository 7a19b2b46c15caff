import WharfJSON

/// The values of one place, grouped by kind.
struct Kinds {
    private(set) var hasNull = false
    private(set) var hasBool = false
    private(set) var hasArray = false
    private(set) var numbers: Numbers?
    private(set) var texts: Texts?
    /// The elements of all arrays.
    private(set) var elements: [JSONValue] = []
    private(set) var objects: [[JSONMember]] = []

    init(_ values: [JSONValue]) {
        for value in values {
            switch value.content {
            case .null: hasNull = true
            case .bool: hasBool = true
            case .number(let number): numbers = adding(number)
            case .string(let text): texts = adding(text)
            case .array(let elements):
                hasArray = true
                self.elements += elements
            case .object(let members): objects.append(members)
            }
        }
    }

    /// The number of kinds, without null.
    var count: Int {
        [hasBool, numbers != nil, texts != nil, hasArray, !objects.isEmpty].count { $0 }
    }

    var isObjectsOnly: Bool { count == 1 && !objects.isEmpty && !hasNull }

    private mutating func adding(_ number: JSONNumber) -> Numbers {
        var numbers = self.numbers ?? Numbers()
        numbers.add(number)
        return numbers
    }

    private mutating func adding(_ text: String) -> Texts {
        // The property is cleared while the value grows, so that the storage is not copied.
        var texts = self.texts ?? Texts()
        self.texts = nil
        texts.add(text)
        return texts
    }
}
