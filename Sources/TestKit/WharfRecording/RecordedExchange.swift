internal import WharfCore

/// One request with its answer, as stored in a recording.
struct RecordedExchange: Sendable, Equatable {
    var request: RecordedRequest
    var answer: RecordedAnswer
    /// Descriptions of the redacted parts.
    var redacted: [String] = []
}

struct RecordedRequest: Sendable, Equatable {
    var method: String
    var url: String
    var fields: [RecordedField]
    var body: [UInt8]
}

struct RecordedAnswer: Sendable, Equatable {
    /// Nil if no head arrived.
    var status: Int?
    var fields: [RecordedField] = []
    var body: [UInt8] = []
    /// The reason why the answer is missing or incomplete.
    var failure: RecordedFailure?
}

struct RecordedField: Sendable, Equatable {
    var name: String
    var value: String
}

struct RecordedFailure: Sendable, Equatable {
    var code: String
    var message: String

    init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: TransportError) { self.init(code: error.code.name, message: error.message) }

    var error: TransportError { TransportError(.init(code), message: message) }
}

extension RecordedRequest {
    init(_ head: HTTPRequest, body: [UInt8]) {
        method = head.method.rawValue
        url = "\(head.scheme ?? "http")://\(head.authority ?? "")\(head.path ?? "/")"
        fields = head.headerFields.map { RecordedField(name: $0.name.rawName, value: $0.value) }
        self.body = body
    }
}

extension RecordedAnswer {
    init(_ head: HTTPResponse) {
        status = head.status.code
        fields = head.headerFields.map { RecordedField(name: $0.name.rawName, value: $0.value) }
    }
}

extension HTTPFields {
    init(_ recorded: [RecordedField]) {
        self.init()
        for field in recorded {
            // An invalid name is reported when the file is read.
            guard let name = HTTPField.Name(field.name) else { continue }
            append(HTTPField(name: name, value: field.value))
        }
    }
}
