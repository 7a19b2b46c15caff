internal import WharfCore
internal import WharfJSON

/// Reads and replaces the member of an example that holds its id.
struct ExampleIDs {
    private let member: String

    init(_ member: String) { self.member = member }

    /// - Parameter json: the text that contains the object, for the place in an error.
    func id(of object: JSONValue, in json: String) throws(ReadFailure) -> String {
        switch object[member]?.content {
        case .string(let text): return text
        case .number(let number): return number.text
        default:
            let line = json.utf8.prefix(object.range?.lowerBound ?? 0).count { $0 == UInt8(ascii: "\n") } + 1
            throw ReadFailure(
                .undecodable,
                message:
                    "expected a number or a text as the member \"\(member)\" of the example in line \(line), found "
                    + "\(object[member]?.description ?? "none"); name the member that holds the id by id:")
        }
    }

    /// Returns the object with another id.
    ///
    /// The id stays a number if the old and the new id are numbers.
    func replacing(in object: JSONValue, by id: String) -> JSONValue {
        guard case .object(let members) = object.content else { return object }
        return JSONValue(
            .object(
                members.map { existing in
                    guard existing.key == member else { return existing }
                    if case .number = existing.value.content, let number = JSONNumber(id) {
                        return JSONMember(member, JSONValue(.number(number)))
                    }
                    return JSONMember(member, JSONValue(.string(id)))
                }))
    }

    /// Returns an id that is `steps` after another.
    ///
    /// `7` is followed by `8`, `film-09` by `film-10`, and `ada` by `ada-2`. A UUID counts in its
    /// last digits.
    static func counted(_ id: String, up steps: Int) -> String {
        let isUUID = id.utf8.count == 36 && id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12]
        let radix = isUUID ? 16 : 10
        // These digits fit into 64 bits: twelve of a UUID, or eighteen of a decimal number.
        let digits = id.reversed().prefix(isUUID ? 12 : 18).prefix {
            $0.isASCII && $0.hexDigitValue.map { $0 < radix } == true
        }
        guard let number = UInt64(String(digits.reversed()), radix: radix) else { return "\(id)-\(steps + 1)" }
        let counted = String(number + UInt64(steps), radix: radix, uppercase: digits.contains { $0.isUppercase })
        // Leading zeros keep the width, so `film-09` goes on with `film-10`.
        let zeros = String(repeating: "0", count: max(0, digits.count - counted.count))
        return id.dropLast(digits.count) + zeros + counted
    }
}
