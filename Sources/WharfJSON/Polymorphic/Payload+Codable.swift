/// A union's payload that is only `Codable`, in direct decoding: through the drop-in coder, on the
/// payload's bytes.
///
/// With that coder's defaults, which are Foundation's: a `Date` in it is seconds since 2001, and
/// not RFC 3339 as it is beside it. Give such a payload a direct form, or a `JSONFormat` of its
/// own, where that is not meant.
extension JSONReader {
    /// By a ``CodableJSONDecoder`` with its defaults.
    @_disfavoredOverload public mutating func payload<Payload: Decodable>(_ type: Payload.Type) -> Payload? {
        let start = offset
        skipValue()
        guard isReadable else { return nil }
        var decoder = CodableJSONDecoder()
        decoder.maximumDepth = max(levelsLeft, 1)
        decoder.stackBudget = stack.bytesLeft
        do {
            return try decoder.decode(type, from: JSONBytes(storage: storage)[start..<offset])
        } catch {
            note(error, from: start)
            return nil
        }
    }

    /// Notes what a decoder threw, at its place in this document.
    ///
    /// - Parameter start: where the bytes begin that the decoder was given.
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
    /// By a ``CodableJSONEncoder`` with its defaults.
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
    /// What the drop-in decoder has put below it: the place.
    fileprivate var cause: JSONError? {
        switch self {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            context.underlyingError as? JSONError
        @unknown default: nil
        }
    }
}
