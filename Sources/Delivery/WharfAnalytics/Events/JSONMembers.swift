internal import WharfJSON

/// A builder of a JSON object, which leaves out members without a value.
struct JSONMembers {
    private var members: [JSONMember] = []

    // The value is not optional, because a nil literal would be JSON's null.
    mutating func add(_ key: String, _ value: JSONValue) { members.append(JSONMember(key, value)) }

    mutating func add(_ key: String, _ text: String?) {
        if let text { members.append(JSONMember(key, JSONValue(.string(text)))) }
    }

    mutating func add(_ key: String, unlessEmpty fields: [String: JSONValue]) {
        if !fields.isEmpty { add(key, JSONValue(sorted: fields)) }
    }

    var value: JSONValue { JSONValue(.object(members)) }
}

extension JSONValue {
    /// Creates an object with its keys in the order of their bytes.
    init(sorted fields: [String: JSONValue]) {
        let members = fields.map { JSONMember($0.key, $0.value) }
        self.init(.object(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
    }
}
