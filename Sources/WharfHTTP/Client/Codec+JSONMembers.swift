internal import WharfCore
internal import WharfJSON

extension CodecMembers {
    /// Those of a JSON object at the top. Inside of them the order of keys does not count, since encoders are free in it.
    static let json = CodecMembers { bytes in
        do {
            let value = try JSON.decode(JSONValue.self, from: JSONBytes(bytes))
            guard case .object(let members) = value.content else { return nil }
            return try members.map { member in
                let object = JSONValue(.object([JSONMember(member.key, member.value.inOrder)]))
                // Without its braces.
                return Member(member.key, Array(try JSON.encode(object).dropFirst().dropLast()))
            }
        } catch {
            // What is no JSON has no members; who decodes it says what is wrong with it.
            return nil
        }
    } join: { members in
        [UInt8(ascii: "{")] + members.map(\.bytes).joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }
}

extension JSONValue {
    /// The same with the keys of all objects in one order.
    fileprivate var inOrder: JSONValue {
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
