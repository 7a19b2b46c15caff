internal import WharfCore
internal import WharfJSON

/// A nested part of a JSON payload that concurrent edits merge piece by piece.
///
/// The members at the top of a payload are merged one by one. A nested object or an array is one
/// value unless it is named here. If it is named, two edits conflict only if they change the same
/// piece of it.
///
/// ```swift
/// let codec = Codec<NotePayload>.json(merging: [.members(of: "address"), .elements(of: "comments", by: "id")])
/// ```
public struct JSONMergeable: Hashable, Sendable {
    let path: [String]
    /// The member that identifies an element; nil for an object.
    let id: String?

    /// Returns a nested object that is merged member by member.
    ///
    /// Name only objects whose members may change independently of each other. If two clients
    /// change the latitude and the longitude of one place, a merge gives a place that neither has
    /// chosen.
    ///
    /// - Parameter path: the names of the members that lead to it. Objects on the way are merged
    ///   member by member too; an array on the way has to be named.
    public static func members(of path: String...) -> Self { Self(path: path, id: nil) }

    /// Returns an array of objects that is merged element by element.
    ///
    /// Each element is merged member by member.
    ///
    /// An element that one client removes and another changes is a conflict. So is an array that
    /// two clients have brought into different orders. An array in which an element lacks the id,
    /// or two elements have the same, is merged as one value.
    ///
    /// - Parameters:
    ///   - path: the names of the members that lead to the array. Objects on the way are merged
    ///     member by member too; an array on the way has to be named.
    ///   - id: the member that identifies an element, such as a number or a string.
    public static func elements(of path: String..., by id: String) -> Self { Self(path: path, id: id) }
}

extension CodecMembers {
    /// The codec's members: those of a JSON object. The order of keys in nested objects is ignored,
    /// because encoders may choose it.
    static let json = json(merging: [])

    static func json(merging parts: [JSONMergeable]) -> CodecMembers {
        let splitter = JSONSplitter(parts)
        return CodecMembers { bytes in
            do {
                let value = try JSON.decode(JSONValue.self, from: JSONBytes(bytes))
                guard case .object(let members) = value.content else { return nil }
                return try members.map { Member($0.key, try splitter.part($0.value, at: [$0.key])) }
            } catch {
                // Bytes that are not JSON have no members. The error is reported when the model is
                // decoded.
                return nil
            }
        } join: { members in
            var bytes: [UInt8] = []
            Part.object(members).write(to: &bytes)
            return bytes
        }
    }
}

/// Splits JSON values into the parts that an app has named.
private struct JSONSplitter: Sendable {
    /// The path of each part, with the member that identifies the elements of an array.
    private let parts: [[String]: String?]

    init(_ parts: [JSONMergeable]) {
        var ids: [[String]: String?] = [:]
        for part in parts {
            // Objects on the way to a part are merged too, so the part can be reached.
            for count in 1..<max(part.path.count, 1) { ids[Array(part.path.prefix(count))] = .some(nil) }
        }
        // The named parts come after, because they replace objects on the way of others. An array's
        // id comes last of all.
        for part in parts where part.id == nil { ids[part.path] = .some(nil) }
        for part in parts where part.id != nil { ids[part.path] = part.id }
        self.parts = ids
    }

    func part(_ value: JSONValue, at path: [String]) throws -> CodecMembers.Part {
        // A part that is not named is compared as a whole, with sorted keys.
        guard let id = parts[path] else { return .value(try JSON.encode(value.inOrder)) }
        switch (value.content, id) {
        case (.object(let members), nil):
            return try object(members, at: path) ?? .value(try JSON.encode(value.inOrder))
        case (.array(let values), let id?):
            return try list(values, by: id, at: path) ?? .value(try JSON.encode(value.inOrder))
        default:
            return .value(try JSON.encode(value.inOrder))
        }
    }

    /// Returns nil if a name occurs twice.
    private func object(_ members: [JSONMember], at path: [String]) throws -> CodecMembers.Part? {
        // Members with one name can't be merged one by one, because readers differ in which of them
        // counts.
        guard Set(members.map(\.key)).count == members.count else { return nil }
        let parts = try members.map { CodecMembers.Member($0.key, try part($0.value, at: path + [$0.key])) }
        return .object(parts.sorted { $0.name < $1.name })
    }

    /// Returns nil if an element lacks an id or shares it with another one.
    private func list(_ values: [JSONValue], by id: String, at path: [String]) throws -> CodecMembers.Part? {
        var ids: Set<[UInt8]> = []
        var elements: [CodecMembers.Element] = []
        for value in values {
            guard case .object(let members) = value.content, let name = value[id] else { return nil }
            // An element that the service has not seen yet has no id.
            if case .null = name.content { return nil }
            // Compared as JSON, so a number and a string with the same digits are different ids.
            let identity = try JSON.encode(name.inOrder)
            guard ids.insert(identity).inserted, let part = try object(members, at: path) else { return nil }
            elements.append(.init(identity, part))
        }
        return .list(elements)
    }
}

extension CodecMembers.Part {
    fileprivate func write(to bytes: inout [UInt8]) {
        switch self {
        case .value(let value): bytes += value
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += JSONValue(.string(member.name)).description.utf8
                bytes.append(UInt8(ascii: ":"))
                member.part.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .list(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.part.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }
}

extension JSONValue {
    /// The same value with the keys of all objects sorted.
    var inOrder: JSONValue {
        switch content {
        case .array(let elements): JSONValue(.array(elements.map(\.inOrder)))
        case .object(let members):
            JSONValue(
                .object(
                    members.map { JSONMember($0.key, $0.value.inOrder) }
                        .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
        default: self
        }
    }
}
