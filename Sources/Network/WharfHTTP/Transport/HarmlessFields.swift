internal import WharfCore

extension HTTPField.Name {
    /// Fields that any server and any reader of a log may see. Keys have many names (`X-API-Key`,
    /// `Private-Token`), so an unknown field counts as a secret.
    static let harmless: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .userAgent, .contentType, .contentLength, .contentEncoding,
        .contentLanguage, .cacheControl, .range, .ifRange, .ifNoneMatch, .ifModifiedSince,
    ]
}
