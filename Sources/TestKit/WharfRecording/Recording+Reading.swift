internal import WharfCore
internal import WharfJSON

extension Recording {
    /// - Parameter path: for messages.
    init(_ bytes: [UInt8], at path: String) throws(RecordingError) {
        let document = RecordingDocument(bytes: bytes, path: path)
        let root = try document.root()
        let version = try document.integer(root, "wharfRecording")
        guard version == Self.version else {
            throw RecordingError(
                .unknownVersion,
                message: "the recording \(path) has version \(version), and this Wharf reads version \(Self.version); "
                    + "record it anew, or use the version of Wharf that wrote it")
        }
        self.init(redacting: .standard)
        hiddenNames = try document.strings(root, "hiddenNames")
        shownNames = try document.strings(root, "shownNames")
        for exchange in try document.array(root, "exchanges") {
            let request = try document.object(exchange, "request")
            let answer = try document.object(exchange, "answer")
            let failure = try document.optionalObject(answer, "failure")
            exchanges.append(
                RecordedExchange(
                    request: RecordedRequest(
                        method: try document.method(request), url: try document.string(request, "url"),
                        fields: try document.fields(request), body: try document.body(request)),
                    answer: RecordedAnswer(
                        status: answer["status"] == nil ? nil : try document.status(answer),
                        fields: try document.fields(answer), body: try document.body(answer),
                        failure: failure == nil
                            ? nil
                            : RecordedFailure(
                                code: try document.string(failure, "code"),
                                message: try document.string(failure, "message"))),
                    redacted: try document.strings(exchange, "redacted")))
        }
    }
}

/// The text of a recording, which may have been edited. Errors give line and column.
private struct RecordingDocument {
    let bytes: [UInt8]
    let path: String

    func root() throws(RecordingError) -> JSONValue {
        do throws(JSONError) {
            return try JSON.decode(from: bytes)
        } catch {
            throw RecordingError(
                .malformed, message: "the recording \(path) is not valid JSON: \(error.message)", cause: error)
        }
    }

    func integer(_ value: JSONValue, _ key: String) throws(RecordingError) -> Int {
        guard case .number(let number) = value[key]?.content, let integer = number.integer(Int.self) else {
            throw wrong(value, key, "a whole number")
        }
        return integer
    }

    func method(_ value: JSONValue) throws(RecordingError) -> String {
        let text = try string(value, "method")
        guard HTTPRequest.Method(text) != nil else { throw wrong(value, "method", "a method (RFC 9110 §9.1)") }
        return text
    }

    func status(_ value: JSONValue) throws(RecordingError) -> Int {
        let code = try integer(value, "status")
        guard (100...599).contains(code) else { throw wrong(value, "status", "a status from 100 to 599") }
        return code
    }

    func string(_ value: JSONValue?, _ key: String) throws(RecordingError) -> String {
        guard case .string(let text) = value?[key]?.content else { throw wrong(value, key, "a text") }
        return text
    }

    func array(_ value: JSONValue, _ key: String) throws(RecordingError) -> [JSONValue] {
        guard case .array(let elements) = value[key]?.content else { throw wrong(value, key, "an array") }
        return elements
    }

    func object(_ value: JSONValue, _ key: String) throws(RecordingError) -> JSONValue {
        guard let inner = try optionalObject(value, key) else { throw wrong(value, key, "an object") }
        return inner
    }

    func optionalObject(_ value: JSONValue, _ key: String) throws(RecordingError) -> JSONValue? {
        guard let inner = value[key] else { return nil }
        guard case .object = inner.content else { throw wrong(value, key, "an object") }
        return inner
    }

    func strings(_ value: JSONValue, _ key: String) throws(RecordingError) -> [String] {
        guard value[key] != nil else { return [] }
        var texts: [String] = []
        for element in try array(value, key) {
            guard case .string(let text) = element.content else { throw wrong(value, key, "an array of texts") }
            texts.append(text)
        }
        return texts
    }

    func fields(_ value: JSONValue) throws(RecordingError) -> [RecordedField] {
        guard case .object(let members) = try optionalObject(value, "fields")?.content else { return [] }
        var fields: [RecordedField] = []
        for member in members {
            guard case .string(let text) = member.value.content, HTTPField.Name(member.key) != nil,
                HTTPField.isValidValue(text)
            else { throw wrong(value, "fields", "names of fields with texts, and not \(member.key)") }
            fields.append(RecordedField(name: member.key, value: text))
        }
        return fields
    }

    func body(_ value: JSONValue) throws(RecordingError) -> [UInt8] {
        guard let body = value["body"] else { return [] }
        guard let bytes = RecordedBody.bytes(body) else {
            throw wrong(value, "body", "one of \"json\", \"text\", \"lines\" and \"base64\"")
        }
        return bytes
    }

    private func wrong(_ value: JSONValue?, _ key: String, _ expected: String) -> RecordingError {
        let offset = value?[key]?.range?.lowerBound ?? value?.range?.lowerBound ?? 0
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count + 1
        let found = value?[key].map { "\($0)".prefix(80) } ?? "none"
        return RecordingError(
            .malformed,
            message: "expected \(expected) as \"\(key)\" of the recording \(path), found \(found) at \(line):\(column)"
        )
    }
}
