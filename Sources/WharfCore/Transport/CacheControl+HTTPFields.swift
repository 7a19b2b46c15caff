package import WharfPrimitives

extension CacheControl {
    /// The directives of all lines of the field `Cache-Control`.
    package init(_ fields: HTTPFields) {
        self.init()
        for field in fields where field.name == .cacheControl { read(field.value) }
    }

    /// Fields that `no-cache` names: not to be used without validation (RFC 9111 §5.2.2.4).
    package var noCacheFields: [HTTPField.Name] { noCacheFieldNames.compactMap { HTTPField.Name($0) } }

    /// Fields that `private` names: not for a shared cache (RFC 9111 §5.2.2.7).
    package var privateFields: [HTTPField.Name] { privateFieldNames.compactMap { HTTPField.Name($0) } }
}
