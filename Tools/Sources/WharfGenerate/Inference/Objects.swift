import WharfJSON

/// The objects found at one place.
struct Objects {
    /// A key with its values, in document order.
    struct Column {
        var key: String
        var values: [JSONValue] = []
        /// The number of objects that have the key.
        var count: Int { values.count }
    }

    let all: [[JSONMember]]
    /// The columns in the order in which the keys were found.
    let columns: [Column]

    init(_ all: [[JSONMember]]) {
        self.all = all
        var columns: [Column] = []
        var places: [String: Int] = [:]
        // The last object that contained each column's key. If an object repeats a key, the first
        // value counts, as in a lookup.
        var owners: [Int] = []
        for (object, members) in all.enumerated() {
            // In nearly all objects the keys come in the order of the object before.
            var next = 0
            for member in members {
                let place: Int
                if next < columns.count, columns[next].key == member.key {
                    place = next
                } else if let known = places[member.key] {
                    place = known
                } else {
                    place = columns.count
                    columns.append(Column(key: member.key))
                    owners.append(-1)
                    places[member.key] = place
                }
                next = place + 1
                guard owners[place] != object else { continue }
                owners[place] = object
                columns[place].values.append(member.value)
            }
        }
        self.columns = columns
    }

    var count: Int { all.count }
    var keys: Set<String> { Set(columns.map(\.key)) }

    subscript(key: String) -> Column? { columns.first { $0.key == key } }

    /// Returns whether all objects have the key.
    func isRequired(_ column: Column) -> Bool { column.count == count }
}

extension JSONValue {
    enum Kind: Hashable {
        case null, bool, number, string, array, object
    }

    var kind: Kind {
        switch content {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    var isNull: Bool { kind == .null }

    var members: [JSONMember]? {
        if case .object(let members) = content { members } else { nil }
    }

    var elements: [JSONValue]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    var text: String? {
        if case .string(let text) = content { text } else { nil }
    }
}

extension [JSONValue] {
    /// The kinds of the values without null, which is compatible with all of them.
    var kinds: Set<JSONValue.Kind> { Set(lazy.map(\.kind)).subtracting([.null]) }
}
