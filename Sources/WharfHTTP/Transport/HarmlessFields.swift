internal import WharfCore

extension HTTPField.Name {
    /// What any server, or any reader of a log, may know. Keys go by many names (`X-API-Key`,
    /// `Private-Token`), so what is not known to be harmless is taken for a secret.
    static let harmless: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .userAgent, .contentType, .contentLength, .contentEncoding,
        .contentLanguage, .cacheControl, .range, .ifRange, .ifNoneMatch, .ifModifiedSince,
    ]
}
