import WharfJSON

/// A declaration that is being inferred. Objects further down may have the same type.
struct Frame {
    let id: Int
    let union: UnionEvidence?
    private let shape: Shape
    /// Whether no more objects are accepted, because an earlier assumption turned out wrong.
    private let isClosed: Bool
    /// The field that is being inferred.
    var key: String?
    /// The objects from further down that belong to the declaration.
    var found: [[JSONMember]] = []

    init(id: Int, objects: Objects, union: UnionEvidence?, isClosed: Bool) {
        (self.id, self.union, self.isClosed) = (id, union, isClosed)
        shape = Shape(objects)
    }

    /// Returns whether objects found below look like those of the declaration.
    ///
    /// The field that leads to them must fit, too.
    ///
    /// - Parameter isDirect: whether no other declaration lies between.
    func recognizes(_ objects: Objects, isDirect: Bool) -> Bool {
        if isClosed { return false }
        if let union { return union.recognizes(objects) }
        return key.map { shape.recognizes(objects, under: $0, isDirect: isDirect) } ?? false
    }

    /// Returns the similar objects directly below some objects, and below those in turn.
    ///
    /// They are in a field or in an array in a field.
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

/// The features by which objects are recognised.
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
        // The objects one level deeper must be of the kind too. Otherwise the field only wraps
        // another object with the same key.
        let deeper = Objects(column.values.flatMap(\.ownObjects))
        return deeper.count == 0 || fits(deeper)
    }

    /// Returns whether the objects have no other keys, and no values of other kinds.
    private func fits(_ objects: Objects) -> Bool {
        objects.columns.allSatisfy { column in
            guard let known = columns[column.key] else { return false }
            let kinds = column.values.kinds
            return kinds.isEmpty || known.kinds.isEmpty || !kinds.isDisjoint(with: known.kinds)
        }
    }
}

extension JSONValue {
    /// The value or its elements, as far as they are objects.
    fileprivate var ownObjects: [[JSONMember]] {
        [members].compactMap(\.self) + (elements ?? []).compactMap(\.members)
    }
}
