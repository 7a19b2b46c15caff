/// Direct coding of a payload that is only `Codable`, by the `Codable` coder on its bytes.
///
/// The coder has its defaults, which are Foundation's. So a `Date` in the payload is seconds since
/// 2001, while a `Date` beside it is RFC 3339. To avoid that, make the payload `JSONCodable` or
/// give it a `JSONFormat`.
extension JSONReader {
    /// Reads a payload by a ``CodableJSONDecoder`` with its defaults.
    @_disfavoredOverload public mutating func payload<Payload: Decodable>(_ type: Payload.Type) -> Payload? {
        let start = offset
        // Finds the end of the value. The bytes passed on are checked, and the cursor is after them
        // even if decoding fails.
        skipValue()
        guard isReadable else { return nil }
        var decoder = CodableJSONDecoder()
        // The limits of the whole document go on inside; fresh ones at each level would add up.
        decoder.maximumDepth = max(levelsLeft, 1)
        decoder.stackBudget = stack.bytesLeft
        do {
            return try decoder.decode(type, from: JSONBytes(storage: storage)[start..<offset])
        } catch {
            note(error, from: start)
            return nil
        }
    }

    /// Notes a decoder's error at its place in this document.
    ///
    /// - Parameter start: the offset of the bytes that the decoder got.
    private mutating func note(_ error: any Error, from start: Int) {
        let issues = (error as? JSONError ?? (error as? DecodingError)?.cause)?.issues ?? []
        for issue in issues {
            let key: String? =
                if issue.code == .missingKey, case .key(let key)? = issue.path.steps.last { key } else { nil }
            note(
                JSONNote(
                    offset: start + issue.location.offset, code: issue.code, expected: issue.expected, key: key))
        }
        if issues.isEmpty {
            note(JSONNote(offset: start, code: .invalidValue, expected: "another value (\(error))"))
        }
    }
}

extension JSONWriter {
    /// Writes a payload by a ``CodableJSONEncoder`` with its defaults.
    @_disfavoredOverload public mutating func payload(_ payload: some Encodable) {
        do {
            let bytes: [UInt8] = try CodableJSONEncoder().encode(payload)
            raw(bytes)
        } catch {
            invalid(expected: "a value that can be encoded (\(error))")
        }
    }
}

extension DecodingError {
    /// The error with its place that ``CodableJSONDecoder`` put below this one.
    fileprivate var cause: JSONError? {
        switch self {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            context.underlyingError as? JSONError
        @unknown default: nil
        }
    }
}
