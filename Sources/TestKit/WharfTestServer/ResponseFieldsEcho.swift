#if TestServer
import WharfCore

extension TestServer {
    /// Answers `GET path?Name=value&…` with those header fields.
    ///
    /// The body has the same pairs as a JSON object. It corresponds to an echo service's
    /// `/response-headers`, for experiments with caching.
    public func echoResponseFields(at path: String = "/response-headers") {
        route(.get, path) { request in
            var fields: HTTPFields = [.contentType: "application/json"]
            var members: [String] = []
            for (name, value) in request.queryItems {
                guard let fieldName = HTTPField.Name(name), HTTPField.isValidValue(value) else {
                    return .text("\(name) can't be a field\n", status: .badRequest)
                }
                if fieldName == .contentType {
                    fields[fieldName] = value
                } else {
                    fields.append(HTTPField(name: fieldName, value: value))
                }
                members.append("\(Self.quoted(name)):\(Self.quoted(value))")
            }
            return TestResponse(fields: fields, body: Array("{\(members.joined(separator: ","))}".utf8))
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
#endif
