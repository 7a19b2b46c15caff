internal import WharfCore
internal import WharfJSON

/// Models made of example objects: those of the list, and one for any id.
struct Examples<Model: Identifiable & Sendable>: Sendable where Model.ID: CustomStringConvertible & Sendable {
    typealias Make = @Sendable (JSONBytes) throws -> Model

    private struct Row: Sendable {
        let id: String
        let object: JSONValue
        let model: Model
    }

    private let member: String
    private let make: Make
    private let template: JSONValue
    private let rows: [Row]

    /// - Parameter make: makes a model of one object. Throws a `ReadFailure`, or the error of the
    ///   mapping.
    init(_ json: String, id member: String, count: Int, make: @escaping Make) throws(ReadFailure) {
        let document = try Self.document(json)
        let objects: [JSONValue]
        if case .array(let elements) = document.content { objects = elements } else { objects = [document] }
        guard let template = objects.first else {
            throw ReadFailure(.undecodable, message: "expected at least one example in the array, found none")
        }
        let ids = ExampleIDs(member)
        var rows: [Row] = []
        for object in objects {
            let id = try ids.id(of: object, in: json)
            // Decodes the example's own text, so that an error names the place in that text.
            let bytes = object.range.map { range in JSONBytes(Self.padded(json, range)) } ?? JSONBytes(json)
            rows.append(Row(id: id, object: object, model: try Self.model(make, bytes)))
        }
        self.member = member
        self.make = make
        self.template = template
        if objects.count == 1, case .object = document.content {
            for step in 1..<max(1, count) {
                let object = ids.replacing(in: template, by: ExampleIDs.counted(rows[0].id, up: step))
                let id = try ids.id(of: object, in: json)
                rows.append(Row(id: id, object: object, model: try Self.model(make, try Self.bytes(object))))
            }
        }
        self.rows = rows
    }

    /// Returns the model of the list, or else the first example with this id.
    func model(_ id: Model.ID) throws(ReadFailure) -> Model {
        if let row = rows.first(where: { $0.id == id.description }) { return row.model }
        let object = ExampleIDs(member).replacing(in: template, by: id.description)
        let model = try Self.model(make, try Self.bytes(object))
        guard model.id.description == id.description else {
            throw ReadFailure(
                .unmappable,
                message:
                    "expected the id \(id) of the example's member \"\(member)\" to be the model's, found \(model.id); "
                    + "name the member that holds the id by id:")
        }
        return model
    }

    func answer(_ query: RowQuery) -> [Model] {
        guard query.condition != .always || !query.sort.isEmpty || query.after != nil else {
            return rows.prefix(max(0, query.limit ?? rows.count)).map(\.model)
        }
        return query.answer(rows, id: \.id, fields: { $0.object.fieldValues }).map(\.model)
    }

    private static func document(_ json: String) throws(ReadFailure) -> JSONValue {
        do throws(JSONError) {
            return try JSON.decode(from: json)
        } catch {
            throw .undecodable(Model.self, error)
        }
    }

    private static func bytes(_ object: JSONValue) throws(ReadFailure) -> JSONBytes {
        do throws(JSONError) {
            return JSONBytes(try JSON.encode(object))
        } catch {
            throw .undecodable(Model.self, error)
        }
    }

    private static func model(_ make: Make, _ bytes: JSONBytes) throws(ReadFailure) -> Model {
        do {
            return try make(bytes)
        } catch let failure as ReadFailure {
            throw failure
        } catch {
            throw ReadFailure(
                .unmappable, message: "expected an example that maps to \(Model.self), but the mapping threw: \(error)",
                cause: error)
        }
    }

    /// The text with blanks outside the range and its line breaks kept.
    private static func padded(_ json: String, _ range: Range<Int>) -> [UInt8] {
        json.utf8.enumerated().compactMap { offset, byte in
            if range.contains(offset) || byte == UInt8(ascii: "\n") { return byte }
            // The other bytes of a scalar are dropped, because a scalar is one column.
            return byte & 0xC0 == 0x80 ? nil : UInt8(ascii: " ")
        }
    }
}

extension JSONValue {
    /// The members by name, for queries.
    fileprivate var fieldValues: [String: FieldValue] {
        guard case .object(let members) = content else { return [:] }
        var fields: [String: FieldValue] = [:]
        for member in members {
            switch member.value.content {
            case .string(let text): fields[member.key] = FieldValue(text)
            case .bool(let bool): fields[member.key] = bool.fieldValue
            case .number(let number):
                fields[member.key] =
                    number.integer(Int64.self).map { FieldValue($0) } ?? number.double.map { FieldValue($0) }
            case .null, .array, .object: break
            }
        }
        return fields
    }
}

extension ReadFailure {
    static func undecodable(_ type: Any.Type, _ error: any Error) -> ReadFailure {
        let cause = JSONError(behind: error) ?? error
        return ReadFailure(
            .undecodable,
            message: "expected an example of \(type), found one that does not decode: "
                + ((cause as? JSONError)?.message ?? "\(cause)"),
            cause: cause)
    }
}
