#if Macros
/// The keys of one JSON object: the values of properties, and nested objects.
struct FieldTree {
    indirect enum Content {
        case value(Property)
        case object(FieldTree)
    }

    struct Field {
        let key: String
        var content: Content
    }

    private(set) var fields: [Field] = []

    /// The number of fields of an object that the reader can track.
    static let limit = 128

    init() {}

    init(_ properties: [Property], _ problems: inout [Problem]) {
        var firstBeyond: Property?
        for property in properties {
            if !insert(property, below: property.path[...]) {
                let path = property.path.map(\.literal).joined(separator: ", ")
                problems.append(
                    Problem("duplicateKey", "the key \(path) is read into another property already", at: property.node))
            }
            // Only the first property beyond the limit is marked, not each one after it.
            if firstBeyond == nil, widest > Self.limit { firstBeyond = property }
        }
        if let firstBeyond {
            problems.append(
                Problem(
                    "tooManyFields",
                    "an object can have at most \(Self.limit) fields; nest the rest, or read it by hand",
                    at: firstBeyond.node)
            )
        }
    }

    /// Returns false if the path is taken.
    private mutating func insert(_ property: Property, below path: ArraySlice<String>) -> Bool {
        guard let key = path.first else { return false }
        let index = fields.firstIndex { $0.key == key }
        if path.count == 1 {
            guard index == nil else { return false }
            fields.append(Field(key: key, content: .value(property)))
            return true
        }
        guard let index else {
            var inner = FieldTree()
            let fits = inner.insert(property, below: path.dropFirst())
            fields.append(Field(key: key, content: .object(inner)))
            return fits
        }
        // The key is taken by a value, and can't be an object too.
        guard case .object(var inner) = fields[index].content else { return false }
        let fits = inner.insert(property, below: path.dropFirst())
        fields[index].content = .object(inner)
        return fits
    }

    private var widest: Int {
        fields.reduce(fields.count) { widest, field in
            guard case .object(let inner) = field.content else { return widest }
            return max(widest, inner.widest)
        }
    }
}

extension FieldTree {
    /// All properties at and below this object.
    var properties: [Property] {
        fields.flatMap { field -> [Property] in
            switch field.content {
            case .value(let property): [property]
            case .object(let inner): inner.properties
            }
        }
    }

    var required: [Property] { properties.filter(\.isRequired) }
    /// Whether the object can be left out: no property below it is required, and null equals
    /// missing.
    var isLeftOut: Bool { properties.allSatisfy(\.isLeftOut) }
    /// The required fields with their numbers.
    var requiredFields: [(index: Int, key: String)] {
        fields.enumerated().compactMap { index, field in
            switch field.content {
            case .value(let property): property.isRequired ? (index, field.key) : nil
            case .object(let inner): inner.required.isEmpty ? nil : (index, field.key)
            }
        }
    }
}
#endif
