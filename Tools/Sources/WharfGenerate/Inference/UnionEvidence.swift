import WharfJSON

/// The evidence that objects are of several kinds: a key whose value determines the other keys.
struct UnionEvidence {
    struct Group {
        var tag: String
        var objects: [[JSONMember]]
    }

    let tagKey: String
    /// The key beside the tag that holds the rest of the object; nil if there are other keys.
    let contentKey: String?
    /// The groups in the order in which the tags were found.
    let groups: [Group]

    /// Keys that usually are tags. For another key each of its values must appear at least twice.
    private static let usual: Set<String> = [
        "type", "kind", "_type", "@type", "$type", "__typename", "__type", "objectType", "object_type", "object",
        "event",
        "eventType", "event_type", "itemType", "item_type", "contentType", "content_type", "nodeType", "node_type",
        "op",
        "variant",
    ]
    private static let mostKinds = 64

    /// Finds a union of nested objects, such as the nodes of an expression.
    ///
    /// The objects directly below are included, because a few alone would be too little evidence.
    /// Nil if there are none below.
    ///
    /// - Returns: the evidence of all objects, and the objects from below.
    static func nested(
        _ objects: Objects, _ options: Inference.Options
    ) -> (union: UnionEvidence, below: [[JSONMember]])? {
        guard options.findsUnions else { return nil }
        let keys = options.discriminator.map { [$0] } ?? objects.columns.map(\.key).filter(usual.contains)
        for key in keys {
            guard let column = objects[key], isTag(column, of: objects) else { continue }
            let tags = Set(column.values.compactMap(\.text))
            var all = objects.all
            var next = 0
            var isRecursive = false
            while next < all.count {
                for member in all[next] {
                    let below =
                        [member.value].compactMap(\.members) + (member.value.elements ?? []).compactMap(\.members)
                    for members in below {
                        guard let tag = members.first(where: { $0.key == key })?.value.text else { continue }
                        all.append(members)
                        if tags.contains(tag) { isRecursive = true }
                    }
                }
                next += 1
            }
            guard isRecursive else { continue }
            let every = Objects(all)
            let evidence = UnionEvidence(every, tagKey: key)
            if options.discriminator != nil || evidence.isConvincing(every) {
                return (evidence, Array(all.dropFirst(objects.count)))
            }
        }
        return nil
    }

    /// Returns nil if there is no evidence.
    init?(_ objects: Objects, _ options: Inference.Options) {
        guard options.findsUnions else { return nil }
        if let key = options.discriminator, let column = objects[key], Self.isTag(column, of: objects) {
            self.init(objects, tagKey: key)
            return
        }
        guard objects.count > 1, Self.mayDiffer(objects) else { return nil }
        let candidates = objects.columns.filter { Self.isTag($0, of: objects) && Self.mayDecide($0) }.map(\.key)
        for key in candidates.filter(Self.usual.contains) + candidates.filter({ !Self.usual.contains($0) }) {
            let evidence = UnionEvidence(objects, tagKey: key)
            if evidence.isConvincing(objects) {
                self = evidence
                return
            }
        }
        return nil
    }

    /// - Parameter tagKey: a key under which all objects have a string.
    init(_ objects: Objects, tagKey: String) {
        self.tagKey = tagKey
        var groups: [Group] = []
        var places: [String: Int] = [:]
        for members in objects.all {
            guard let tag = members.first(where: { $0.key == tagKey })?.value.text else { continue }
            if let place = places[tag] {
                groups[place].objects.append(members)
            } else {
                places[tag] = groups.count
                groups.append(Group(tag: tag, objects: [members]))
            }
        }
        self.groups = groups
        let others = objects.columns.filter { $0.key != tagKey }
        let holdsObjects = others.first?.values.kinds == [.object]
        // If only some objects of a kind have the key, it is an optional field, and not the
        // content.
        let isWhole = groups.allSatisfy { group in
            let count = group.objects.count { $0.count > 1 }
            return count == 0 || count == group.objects.count
        }
        contentKey = others.count == 1 && holdsObjects && isWhole ? others.first?.key : nil
    }

    /// Returns whether objects from further down are of these kinds too.
    func recognizes(_ objects: Objects) -> Bool {
        guard let column = objects[tagKey], Self.isTag(column, of: objects) else { return false }
        if let contentKey, !objects.keys.isSubset(of: [tagKey, contentKey]) { return false }
        let tags = Set(groups.map(\.tag))
        return column.values.contains { $0.text.map(tags.contains) ?? false }
    }

    /// Returns whether a key may belong to one kind only.
    private static func mayDiffer(_ objects: Objects) -> Bool {
        objects.columns.contains { column in
            let kinds = column.values.kinds
            return !objects.isRequired(column) || kinds.count > 1 || kinds == [.object]
        }
    }

    /// Returns whether the number of the key's values fits a number of kinds.
    private static func mayDecide(_ column: Objects.Column) -> Bool {
        var counts: [String: Int] = [:]
        for value in column.values {
            counts[value.text ?? "", default: 0] += 1
            if counts.count > mostKinds { return false }
        }
        return counts.count > 1 && (usual.contains(column.key) || counts.values.allSatisfy { $0 > 1 })
    }

    private static func isTag(_ column: Objects.Column, of objects: Objects) -> Bool {
        objects.isRequired(column) && column.values.allSatisfy { $0.text != nil }
    }

    // MARK: Evidence

    private func isConvincing(_ objects: Objects) -> Bool {
        guard (2...Self.mostKinds).contains(groups.count), groups.allSatisfy({ Self.mayBeTag($0.tag) }) else {
            return false
        }
        let isUsual = Self.usual.contains(tagKey)
        guard isUsual || groups.allSatisfy({ $0.objects.count > 1 }) else { return false }
        let own = decided(objects.columns, groups.map(\.objects))
        if own.decided > 0 { return own.isConvincing(strictly: !isUsual) }
        // The difference between the kinds may be inside a field that they have in common.
        return objects.columns.contains { column in
            guard column.values.kinds == [.object] else { return false }
            let parts = groups.map { group in
                group.objects.compactMap { members in members.first { $0.key == column.key }?.value.members }
            }
            let inner = decided(Objects(parts.flatMap(\.self)).columns, parts)
            return inner.decided > 0 && inner.isConvincing(strictly: !isUsual)
        }
    }

    private struct Score {
        /// The number of keys that each kind has always or never, or whose values have one kind per
        /// tag.
        var decided = 0
        /// The number of keys that are optional in a kind.
        var open = 0
        /// The kinds that have a key of their own.
        var owners: Set<Int> = []
        /// Whether a decided key is more than chance. If a kind has a single object, a key that it
        /// lacks may be an optional field.
        var isMoreThanChance = false

        func isConvincing(strictly: Bool) -> Bool {
            guard owners.count > 1 || isMoreThanChance else { return false }
            return strictly ? open == 0 && decided > 1 : decided >= open
        }
    }

    private func decided(_ columns: [Objects.Column], _ parts: [[[JSONMember]]]) -> Score {
        var score = Score()
        let total = parts.reduce(0) { $0 + $1.count }
        let counts = parts.map { part in
            part.reduce(into: [String: (count: Int, kinds: Set<JSONValue.Kind>)]()) { counts, members in
                for member in members {
                    counts[member.key, default: (0, [])].count += 1
                    if !member.value.isNull { counts[member.key, default: (0, [])].kinds.insert(member.value.kind) }
                }
            }
        }
        for column in columns where column.key != tagKey {
            let ofParts = zip(parts, counts).map { part, counts in
                (size: part.count, known: counts[column.key] ?? (0, []))
            }
            if column.count < total {
                let isDecided = ofParts.allSatisfy { $0.known.count == 0 || $0.known.count == $0.size }
                guard isDecided else {
                    score.open += 1
                    continue
                }
                score.decided += 1
                for (index, part) in ofParts.enumerated() where part.known.count > 0 { score.owners.insert(index) }
                if ofParts.allSatisfy({ $0.known.count > 0 || $0.size > 1 }) { score.isMoreThanChance = true }
            } else if column.values.kinds.count > 1, ofParts.allSatisfy({ $0.known.kinds.count < 2 }) {
                score.decided += 1
                score.isMoreThanChance = true
            }
        }
        return score
    }

    private static func mayBeTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "_-.:/#".unicodeScalars.contains(scalar)
            }
    }
}
