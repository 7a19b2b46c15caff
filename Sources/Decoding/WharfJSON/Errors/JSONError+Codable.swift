extension JSONError {
    /// Returns an error of the reader, or the one in a `DecodingError` of ``CodableJSONDecoder``.
    package init?(behind error: any Error) {
        if let error = error as? JSONError {
            self = error
            return
        }
        let context: DecodingError.Context? =
            switch error as? DecodingError {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            default: nil
            }
        guard let error = context?.underlyingError as? JSONError else { return nil }
        self = error
    }
}
