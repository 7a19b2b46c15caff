import WharfJSON

/// Infers the types of samples. All values found at one place decide its type together.
struct Inference {
    struct Options: Sendable {
        /// The key that distinguishes the kinds of objects, if the samples alone don't show it.
        var discriminator: String?
        var findsUnions = true
    }

    let options: Options
    private var declarations: [Declaration] = []
    /// The declarations in progress, from the outermost.
    private var frames: [Frame] = []

    /// A number that no type holds.
    private var unreadable: String?

    private init(_ options: Options) { self.options = options }

    /// - Parameters:
    ///   - samples: one or more documents of the same kind.
    ///   - name: the name of the document's type.
    ///
    /// - Throws: ``GenerationError`` if no type holds a number, or no object has the discriminator.
    static func schema(
        of samples: [JSONValue], named name: String, _ options: Options
    ) throws(GenerationError) -> Schema {
        var inference = Inference(options)
        let root = inference.type(of: samples, name, nil)
        if let unreadable = inference.unreadable {
            throw GenerationError(
                .unreadableNumber, "expected numbers that a Double or a Decimal holds, found \(unreadable.prefix(80))")
        }
        if let key = options.discriminator {
            guard inference.declarations.contains(where: { $0.content.tagKey == key }) else {
                throw GenerationError(
                    .noDiscriminator,
                    "--discriminator: expected objects that all have a text under the key \"\(key)\", found none")
            }
        }
        return Schema(root: root, declarations: inference.declarations).withoutRepetitions()
    }

    /// - Parameters:
    ///   - values: all values found at the place.
    ///   - hint: a name for the type.
    ///   - parent: the declaration that contains the place.
    private mutating func type(of values: [JSONValue], _ hint: String, _ parent: Int?) -> ValueType {
        let kinds = Kinds(values)
        let present = kinds.count
        unreadable = unreadable ?? kinds.numbers?.unreadable
        guard present > 0 else { return values.isEmpty ? .anything : .optional(.anything) }
        let type = present == 1 ? single(kinds, hint, parent) : mixed(kinds, hint, parent)
        return kinds.hasNull ? .optional(type) : type
    }

    private mutating func single(_ kinds: Kinds, _ hint: String, _ parent: Int?) -> ValueType {
        if kinds.hasBool { return .bool }
        if let numbers = kinds.numbers { return numbers.type }
        if let texts = kinds.texts {
            if let form = texts.form { return form.type }
            guard let cases = texts.cases else { return .string }
            return .declared(declare(hint, parent, .enumeration(cases)))
        }
        if kinds.hasArray { return .array(type(of: kinds.elements, Words.singular(hint), parent)) }
        return object(kinds.objects, hint, parent)
    }

    private mutating func mixed(_ kinds: Kinds, _ hint: String, _ parent: Int?) -> ValueType {
        let id = declare(hint, parent, .mixed([]))
        var types: [ValueType] = []
        if kinds.hasBool { types.append(.bool) }
        if let numbers = kinds.numbers { types.append(numbers.type) }
        // Beside other kinds a string stays a string, because its format would not distinguish it
        // from them.
        if kinds.texts != nil { types.append(.string) }
        if kinds.hasArray { types.append(.array(type(of: kinds.elements, Words.singular(hint), id))) }
        if !kinds.objects.isEmpty { types.append(object(kinds.objects, hint + " object", id)) }
        declarations[id].content = .mixed(types)
        return .declared(id)
    }

    // MARK: Objects

    private mutating func object(_ all: [[JSONMember]], _ hint: String, _ parent: Int?) -> ValueType {
        let objects = Objects(all)
        if let id = sameAsAbove(objects) { return .declared(id) }
        if let nested = UnionEvidence.nested(objects, options) {
            return declareUnion(nested.union, objects, nested.below, hint, parent)
        }
        if let union = UnionEvidence(objects, options) { return declareUnion(union, objects, [], hint, parent) }
        if objects.isMap {
            return .map(type(of: objects.columns.flatMap(\.values), Words.singular(hint), parent))
        }
        return .declared(declareObject(objects, hint, parent))
    }

    /// Returns an enclosing declaration to which the objects belong, which makes the type
    /// recursive.
    private mutating func sameAsAbove(_ objects: Objects) -> Int? {
        for index in frames.indices.reversed()
        where frames[index].recognizes(objects, isDirect: index == frames.count - 1) {
            frames[index].found += objects.all
            return frames[index].id
        }
        return nil
    }

    private mutating func declareObject(
        _ objects: Objects, _ hint: String, _ parent: Int?, isKind: Bool = false
    ) -> Int {
        let id = declare(hint, parent, .object([]), isKind: isKind)
        let fields = declaring(id, objects, Frame.alike(below: objects), nil) { inference, objects in
            objects.columns.map { inference.field($0, objects, id) }
        }
        declarations[id].content = .object(fields)
        return id
    }

    private mutating func field(_ column: Objects.Column, _ objects: Objects, _ id: Int) -> Declaration.Field {
        frames[frames.count - 1].key = column.key
        let type = type(of: column.values, column.key, id)
        let isRequired = objects.isRequired(column)
        guard case .optional(let wrapped) = type else {
            return .init(key: column.key, type: type, mayBeAbsent: !isRequired, mayBeNull: false)
        }
        return .init(key: column.key, type: wrapped, mayBeAbsent: !isRequired, mayBeNull: true)
    }

    private mutating func declareUnion(
        _ union: UnionEvidence, _ objects: Objects, _ below: [[JSONMember]], _ hint: String, _ parent: Int?
    ) -> ValueType {
        let id = declare(hint, parent, .union(.init(tagKey: union.tagKey, kinds: [])))
        let content = declaring(id, objects, below, union) { inference, objects in
            // The objects found below may be of further kinds.
            let union = UnionEvidence(objects, tagKey: union.tagKey)
            return Declaration.Union(
                tagKey: union.tagKey, contentKey: union.contentKey,
                kinds: union.groups.map { inference.kind($0, union, id) })
        }
        declarations[id].content = .union(content)
        return .declared(id)
    }

    private mutating func kind(
        _ group: UnionEvidence.Group, _ union: UnionEvidence, _ id: Int
    ) -> Declaration.Union.Kind {
        if let contentKey = union.contentKey {
            let values = group.objects.compactMap { members in members.first { $0.key == contentKey }?.value }
            guard !values.isEmpty else { return .init(tag: group.tag, type: nil) }
            let kinds = Kinds(values)
            if kinds.isObjectsOnly {
                let content = Objects(kinds.objects)
                if let above = sameAsAbove(content) { return .init(tag: group.tag, type: .declared(above)) }
                return .init(
                    tag: group.tag, type: .declared(declareObject(content, group.tag, id, isKind: true)))
            }
            return .init(tag: group.tag, type: type(of: values, group.tag, id))
        }
        let rest = group.objects.map { members in members.filter { $0.key != union.tagKey } }
        guard rest.contains(where: { !$0.isEmpty }) else { return .init(tag: group.tag, type: nil) }
        return .init(
            tag: group.tag, type: .declared(declareObject(Objects(rest), group.tag, id, isKind: true)))
    }

    /// Infers the content of a declaration.
    ///
    /// It is repeated with the objects found below that belong to the declaration, until no more
    /// are found.
    ///
    /// - Parameter below: the objects directly below that belong to it, so that most declarations
    ///   take one round.
    private mutating func declaring<Content>(
        _ id: Int, _ objects: Objects, _ below: [[JSONMember]], _ union: UnionEvidence?,
        _ content: (inout Inference, Objects) -> Content
    ) -> Content {
        let foundAbove = frames.map(\.found.count)
        var found = below
        var isClosed = false
        while true {
            let objects = found.isEmpty ? objects : Objects(objects.all + found)
            frames.append(Frame(id: id, objects: objects, union: union, isClosed: isClosed))
            let made = content(&self, objects)
            let frame = frames.removeLast()
            // Each round finds the objects of the round before, and those one level deeper.
            if isClosed || frame.found.count == found.count { return made }
            // With these objects the declaration no longer recognises them all. So they were not of
            // its kind.
            isClosed = frame.found.count < found.count
            found = isClosed ? [] : frame.found
            declarations.removeSubrange((id + 1)...)
            for (index, count) in foundAbove.enumerated() {
                frames[index].found.removeSubrange(count...)
            }
        }
    }

    private mutating func declare(
        _ hint: String, _ parent: Int?, _ content: Declaration.Content, isKind: Bool = false
    ) -> Int {
        declarations.append(Declaration(hint: hint, parent: parent, isKind: isKind, content: content))
        return declarations.count - 1
    }
}
