import WharfJSON

/// A declaration that is being made: objects further down may be of the same type.
struct Frame {
    let id: Int
    let union: UnionEvidence?
    private let shape: Shape
    /// What was taken for its like was not.
    private let isClosed: Bool
    /// The field that is being looked into.
    var key: String?
    /// Objects from further down that belong to it.
    var found: [[JSONMember]] = []

    init(id: Int, objects: Objects, union: UnionEvidence?, isClosed: Bool) {
        (self.id, self.union, self.isClosed) = (id, union, isClosed)
        shape = Shape(objects)
    }

    /// Whether objects that were found below look like those that it is made of, down to the field
    /// by which one came to them.
    ///
    /// - Parameter isDirect: nothing lies between.
    func recognizes(_ objects: Objects, isDirect: Bool) -> Bool {
        if isClosed { return false }
        if let union { return union.recognizes(objects) }
        return key.map { shape.recognizes(objects, under: $0, isDirect: isDirect) } ?? false
    }

    /// Objects that lie right below some, in a field or an array of it, and look like them; and so
    /// on.
    static func alike(below objects: Objects) -> [[JSONMember]] {
        var found: [[JSONMember]] = []
        while true {
            let all = found.isEmpty ? objects : Objects(objects.all + found)
            let shape = Shape(all)
            let next = all.columns.flatMap { column -> [[JSONMember]] in
                let below = Objects(column.values.flatMap(\.ownObjects))
                return below.count > 0 && shape.recognizes(below, under: column.key, isDirect: true) ? below.all : []
            }
            if next.count <= found.count { return next.count < found.count ? [] : found }
            found = next
        }
    }
}

/// What objects are known by.
private struct Shape {
    private let columns: [String: (kinds: Set<JSONValue.Kind>, isRequired: Bool)]

    init(_ objects: Objects) {
        var columns: [String: (kinds: Set<JSONValue.Kind>, isRequired: Bool)] = [:]
        for column in objects.columns {
            columns[column.key] = (column.values.kinds, objects.isRequired(column))
        }
        self.columns = columns
    }

    func recognizes(_ objects: Objects, under key: String, isDirect: Bool) -> Bool {
        guard let column = objects[key], fits(objects) else { return false }
        let keys = objects.keys
        guard columns.allSatisfy({ !$0.value.isRequired || $0.key == key || keys.contains($0.key) }) else {
            return false
        }
        guard isDirect else { return true }
        // What lies one level deeper is of the kind too: else one only wraps another of its name.
        let deeper = Objects(column.values.flatMap(\.ownObjects))
        return deeper.count == 0 || fits(deeper)
    }

    /// Whether they have no other keys, nor values of other kinds.
    private func fits(_ objects: Objects) -> Bool {
        objects.columns.allSatisfy { column in
            guard let known = columns[column.key] else { return false }
            let kinds = column.values.kinds
            return kinds.isEmpty || known.kinds.isEmpty || !kinds.isDisjoint(with: known.kinds)
        }
    }
}

extension JSONValue {
    /// Itself, or its elements, as far as they are objects.
    fileprivate var ownObjects: [[JSONMember]] {
        [members].compactMap(\.self) + (elements ?? []).compactMap(\.members)
    }
}
