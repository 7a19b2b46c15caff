package import WharfPrimitives

extension CacheControl {
    /// The directives of all lines of the field `Cache-Control`.
    package init(_ fields: HTTPFields) {
        self.init()
        // Several lines of a field are one list (RFC 9110 §5.3).
        for field in fields where field.name == .cacheControl { read(field.value) }
    }

    /// The fields that `no-cache` names, which need validation (RFC 9111 §5.2.2.4).
    package var noCacheFields: [HTTPField.Name] { noCacheFieldNames.compactMap { HTTPField.Name($0) } }

    /// The fields that `private` names, not for shared caches (RFC 9111 §5.2.2.7).
    package var privateFields: [HTTPField.Name] { privateFieldNames.compactMap { HTTPField.Name($0) } }
}
