internal import WharfCore
public import WharfHTTP
public import WharfJSON
// This import links the module. Without it `Codable` would decode dates, bytes, URLs and decimals
// by their own methods instead of the decoder's strategies.
internal import WharfJSONFoundation

extension Decoding {
    /// Returns a decoding of GraphQL answers that reads their data directly.
    public static func graphQL<Value: JSONDecodable>() -> Decoding where Payload == GraphQLResponse<Value> {
        graphQL { bytes throws(any Error) in try JSON.decode(Value.self, from: bytes, at: "data") }
    }

    /// Returns a decoding of GraphQL answers whose data is read through `Codable`.
    ///
    /// - Parameter configure: sets up the decoder of the data.
    @_disfavoredOverload public static func graphQL<Value: Decodable>(
        configure: (inout CodableJSONDecoder) -> Void = { _ in }
    ) -> Decoding where Payload == GraphQLResponse<Value> {
        var decoder = CodableJSONDecoder()
        configure(&decoder)
        return graphQL { [decoder] bytes in
            try EnvelopedPayload.decode(Value.self, from: bytes, at: ["data"], by: decoder)
        }
    }

    private static func graphQL<Value>(
        data: @escaping @Sendable (JSONBytes) throws -> Value
    ) -> Decoding where Payload == GraphQLResponse<Value> {
        let reading = Reading.json { bytes in
            let envelope = try JSON.decode(GraphQLEnvelope.self, from: bytes)
            // Without data there is no value to decode, with or without errors.
            guard envelope.hasData else { throw GraphQLErrors(envelope.errors) }
            do {
                return GraphQLResponse(
                    data: try data(bytes), errors: envelope.errors, extensions: envelope.extensions)
            } catch {
                // The data don't decode, perhaps because a failed field is null. The service's
                // errors explain it.
                throw envelope.errors.isEmpty
                    ? error : GraphQLErrors(envelope.errors, cause: JSONError(behind: error) ?? error)
            }
        }
        return Decoding(GraphQLEnvelope.accepted, true, reading, explaining: GraphQLEnvelope.errors)
    }
}

/// The envelope around the data. The data itself is checked for syntax and skipped here.
private struct GraphQLEnvelope: JSONDecodable {
    static let mediaType = "application/graphql-response+json"
    /// The value of `Accept`.
    ///
    /// With the first type a server may report errors by the status (GraphQL over HTTP, "Accept").
    static var accepted: String { "\(mediaType), application/json;q=0.9" }

    let hasData: Bool
    let errors: [GraphQLError]
    let extensions: JSONValue?

    // The data may come first or last, so it is skipped here and read by a second pass.
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

    /// Returns the errors of a response with an error status. They are read only if its type shows
    /// that a GraphQL server sent it (GraphQL over HTTP, "Status Codes").
    static func errors(_ body: [UInt8], _ head: HTTPResponse) -> (any Error)? {
        let type = head.headerFields[.contentType]?.prefix { $0 != ";" && $0 != " " }
        // `application/json` with an error status may come from an intermediary.
        guard type?.lowercased() == mediaType else { return nil }
        do throws(JSONError) {
            let errors = try JSON.decode(GraphQLEnvelope.self, from: body).errors
            return errors.isEmpty ? nil : GraphQLErrors(errors)
        } catch {
            // The reported failure is the status. This error of reading the body becomes its cause.
            return error
        }
    }
}

extension [GraphQLError] {
    /// Reads an array of errors (GraphQL September 2025 §7.1), or another value as one error.
    ///
    /// Even a malformed value reports a failure of the service.
    fileprivate static func decode(reportedBy json: inout JSONReader) -> [GraphQLError] {
        if json.kind == .array { return Self.decode(from: &json) ?? [] }
        return GraphQLError.decode(from: &json).map { [$0] } ?? []
    }
}

extension JSONReader {
    /// Reads the value of a key unless it is null.
    ///
    /// Some servers write null for a member that they could omit.
    fileprivate mutating func readUnlessNull(
        _ key: StaticString, _ index: Int, _ fields: inout JSONFields, _ read: (inout JSONReader) -> Void
    ) {
        guard self.key(key, index, &fields) else { return }
        if !null() { read(&self) }
        endField(&fields)
    }
}
