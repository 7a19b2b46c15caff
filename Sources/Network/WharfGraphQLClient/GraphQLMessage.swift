internal import WharfCore
internal import WharfGraphQL
internal import WharfHTTP
internal import WharfJSON

/// The parameters of a GraphQL request (GraphQL over HTTP, "Request Parameters").
struct GraphQLMessage {
    private let document: GraphQLDocument
    private let operation: String?
    private let variables: Result<[UInt8], any Error>

    init(_ document: GraphQLDocument, _ operation: String?, _ variables: some JSONEncodable) {
        self.init(document, operation) { try JSON.encode(variables) }
    }

    init(_ document: GraphQLDocument, _ operation: String?, _ variables: (some Encodable)?) {
        self.init(document, operation) {
            var encoder = CodableJSONEncoder()
            // Sorted keys give equal bytes for equal values. The bytes are part of the cache key.
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(variables)
        }
    }

    private init(_ document: GraphQLDocument, _ operation: String?, variables: () throws -> [UInt8]) {
        self.document = document
        self.operation = operation
        self.variables = Result(catching: variables)
    }

    /// Writes the message into a request: into the query of a GET, or into the body.
    fileprivate func write<Payload>(to request: inout Request<Payload>) throws(ReadFailure) {
        let kind = try kind(for: request.method)
        let text = try text()
        let variables = try encodedVariables()
        guard request.method != .get else {
            request.query.items = [("query", text), ("operationName", operation), ("variables", variables)]
                .compactMap { name, value in value.map { QueryItem(name, $0) } }
            return
        }
        var members = [JSONMember("query", JSONValue(.string(text)))]
        if let operation { members.append(JSONMember("operationName", JSONValue(.string(operation)))) }
        do {
            var body = try JSON.encode(JSONValue(.object(members)))
            if let variables {
                // The variables are encoded already. They replace the closing brace, so they are
                // not parsed again.
                body.removeLast()
                body += Array(",\"variables\":\(variables)}".utf8)
            }
            request.body = .bytes(body)
        } catch {
            throw .unsendable("could not encode the body as JSON: \(error.message)", cause: error)
        }
        if request.fields[.contentType] == nil { request.fields[.contentType] = "application/json" }
        // A query has no side effects, so it may be sent again even by POST.
        if kind == .query { request.isIdempotent = true }
    }

    private func kind(for method: HTTPRequest.Method) throws(ReadFailure) -> GraphQLOperation.Kind {
        // Checked here, because a server's answer would come too late for a mutation by GET.
        guard let chosen = document.operation(named: operation) else {
            let count = document.operations.filter { operation == nil || $0.name == operation }.count
            throw .unsendable(
                operation.map { "expected one operation named \"\($0)\", found \(count)" }
                    ?? "expected a document with one operation, or the name of one, found \(count) operations")
        }
        switch chosen.kind {
        // GraphQL over HTTP: GET must not be used for mutations.
        case .mutation where method == .get:
            throw .unsendable("a mutation can't be sent by GET, which must not change anything; send it by POST")
        case .subscription:
            throw .unsendable(
                "a subscription can't be sent as a request, because it has more than one response; send a query or a "
                    + "mutation")
        case .query, .mutation: return chosen.kind
        }
    }

    private func text() throws(ReadFailure) -> String {
        do {
            return try document.compact()
        } catch {
            throw .unsendable("could not print the document: \(error.message)", cause: error)
        }
    }

    /// Returns the variables as JSON; nil if there are none.
    private func encodedVariables() throws(ReadFailure) -> String? {
        switch variables {
        case .success(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            // Without variables the parameter is left out, which gives one URL for one query.
            if text == "{}" || text == "null" { return nil }
            guard text.hasPrefix("{") else {
                throw .unsendable("expected variables that encode as an object, found \(text.prefix(40))")
            }
            return text
        case .failure(let error):
            throw .unsendable(
                "could not encode the variables as JSON: "
                    + ((error as? JSONError)?.message ?? "\(error)"), cause: error)
        }
    }
}

extension ReadFailure {
    fileprivate static func unsendable(_ message: String, cause: (any Error)? = nil) -> ReadFailure {
        ReadFailure(.invalidRequest, message: message, cause: cause)
    }
}

extension Request {
    init(
        _ message: GraphQLMessage, _ method: HTTPRequest.Method, _ path: RequestPath, _ fields: HTTPFields,
        _ decoding: Decoding<Payload>
    ) {
        self.init(method, .path(path), fields: fields, decoding: decoding)
        do throws(ReadFailure) {
            try message.write(to: &self)
        } catch {
            fault = error
        }
    }
}
