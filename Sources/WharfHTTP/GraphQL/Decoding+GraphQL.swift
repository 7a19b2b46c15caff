internal import WharfCore
public import WharfJSON
// Linked with this, so that `Codable` reads and writes dates, bytes, URLs and decimals by their
// strategies.
internal import WharfJSONFoundation

extension Decoding {
    /// The answer to a GraphQL operation, its data read directly.
    public static func graphQL<Value: JSONDecodable>() -> Decoding where Payload == GraphQLResponse<Value> {
        graphQL { bytes throws(any Error) in try JSON.decode(Value.self, from: bytes, at: "data") }
    }

    /// The same through `Codable`, for data that are not `JSONDecodable`.
    ///
    /// - Parameter configure: sets up the decoder of the data.
    @_disfavoredOverload public static func graphQL<Value: Decodable>(
        configure: (inout CodableJSONDecoder) -> Void = { _ in }
    ) -> Decoding where Payload == GraphQLResponse<Value> {
        var decoder = CodableJSONDecoder()
        configure(&decoder)
        return graphQL { [decoder] bytes in try Enveloped.decode(Value.self, from: bytes, at: ["data"], by: decoder) }
    }

    private static func graphQL<Value>(
        data: @escaping @Sendable (JSONBytes) throws -> Value
    ) -> Decoding where Payload == GraphQLResponse<Value> {
        let reading = Reading.json { bytes in
            let envelope = try JSON.decode(GraphQLEnvelope.self, from: bytes)
            guard envelope.hasData else { throw GraphQLErrors(envelope.errors) }
            do {
                return GraphQLResponse(
                    data: try data(bytes), errors: envelope.errors, extensions: envelope.extensions)
            } catch {
                throw envelope.errors.isEmpty
                    ? error : GraphQLErrors(envelope.errors, cause: JSONError(behind: error) ?? error)
            }
        }
        return Decoding(GraphQLEnvelope.accepted, true, reading, explaining: GraphQLEnvelope.errors)
    }
}

/// What stands around the data. Those are checked for syntax and passed over.
private struct GraphQLEnvelope: JSONDecodable {
    static let mediaType = "application/graphql-response+json"
    /// GraphQL over HTTP, "Accept": who answers in the first may tell of errors by the status.
    static var accepted: String { "\(mediaType), application/json;q=0.9" }

    let hasData: Bool
    let errors: [GraphQLError]
    let extensions: JSONValue?

    static func decode(from json: inout JSONReader) -> GraphQLEnvelope? {
        guard var fields = json.beginObject() else { return nil }
        var hasData = false
        var errors: [GraphQLError] = []
        var extensions: JSONValue?
        repeat {
            json.readUnlessNull("data", 0, &fields) {
                hasData = true
                $0.skipValue()
            }
            json.readUnlessNull("errors", 1, &fields) { errors = .decode(reportedBy: &$0) }
            json.readUnlessNull("extensions", 2, &fields) { extensions = JSONValue.decode(from: &$0) }
        } while json.next(&fields)
        return GraphQLEnvelope(hasData: hasData, errors: errors, extensions: extensions)
    }

    /// What an answer with an error status says, where its type vouches for it (GraphQL over HTTP,
    /// "Status Codes").
    static func errors(_ body: [UInt8], _ head: HTTPResponse) -> (any Error)? {
        let type = head.headerFields[.contentType]?.prefix { $0 != ";" && $0 != " " }
        guard type?.lowercased() == mediaType else { return nil }
        do throws(JSONError) {
            let errors = try JSON.decode(GraphQLEnvelope.self, from: body).errors
            return errors.isEmpty ? nil : GraphQLErrors(errors)
        } catch {
            // The status is the news; that its explanation can't be read stays visible as the
            // cause.
            return error
        }
    }
}

extension [GraphQLError] {
    /// An array of them, as §7.1 wants it, or else one: whatever stands there, the service says
    /// that something is wrong.
    fileprivate static func decode(reportedBy json: inout JSONReader) -> [GraphQLError] {
        if json.kind == .array { return Self.decode(from: &json) ?? [] }
        return GraphQLError.decode(from: &json).map { [$0] } ?? []
    }
}

extension JSONReader {
    /// Reads the value of a key that may be there and null: some servers write so what they could
    /// leave out.
    fileprivate mutating func readUnlessNull(
        _ key: StaticString, _ index: Int, _ fields: inout JSONFields, _ read: (inout JSONReader) -> Void
    ) {
        guard self.key(key, index, &fields) else { return }
        if !null() { read(&self) }
        endField(&fields)
    }
}
