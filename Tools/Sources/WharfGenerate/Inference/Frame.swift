import WharfJSON

/// A declaration that is being made: objects further down may be of the same type.
struct Frame {
    let id: Int
    let union: UnionEvidence?
    private let columns: [String: (kinds: Set<JSONValue.Kind>, isRequired: Bool)]
    /// The field that is being looked into.
    var key: String?
    /// Objects from further down that belong to it.
    var found: [[JSONMember]] = []

    init(id: Int, objects: Objects, union: UnionEvidence?) {
        self.id = id
        self.union = union
        var columns: [String: (kinds: Set<JSONValue.Kind>, isRequired: Bool)] = [:]
        for column in objects.columns {
            columns[column.key] = (column.values.kinds, objects.isRequired(column))
        }
        self.columns = columns
    }

    /// Whether objects that were found below look like those that it is made of, down to the field by which one came to them.
    func recognizes(_ objects: Objects) -> Bool {
        if let union { return union.recognizes(objects) }
        guard let key, objects[key] != nil else { return false }
        for column in objects.columns {
            guard let known = columns[column.key] else { return false }
            let kinds = column.values.kinds
            guard kinds.isEmpty || known.kinds.isEmpty || !kinds.isDisjoint(with: known.kinds) else { return false }
        }
        let keys = objects.keys
        return columns.allSatisfy { !$0.value.isRequired || $0.key == key || keys.contains($0.key) }
    }
}
