internal import WharfPrimitives

extension IdempotencyKey {
    /// The key as the field `Idempotency-Key`.
    ///
    /// It is a string of structured fields (draft-ietf-httpapi-idempotency-key-header-07 §2.1, RFC
    /// 9651 §3.3.3). Characters that a string can't have are percent-encoded.
    package var field: HTTPField? {
        let text = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            // These two are escaped in a string (RFC 9651 §3.3.3). Other printable ASCII stands as
            // it is.
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": String(scalar)
            default: PercentEncoding.data(String(scalar))
            }
        }
        return HTTPField.Name("Idempotency-Key").map { HTTPField(name: $0, value: "\"\(text.joined())\"") }
    }
}
