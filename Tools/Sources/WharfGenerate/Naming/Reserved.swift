/// Words that are reserved by Swift or its libraries.
enum Reserved {
    /// Words that need backticks as the name of a property or case.
    static let keywords: Set<String> = Set(
        """
        as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough \
        false fileprivate for func guard if import in internal is let nil operator precedencegroup private \
        protocol public repeat rethrows return static struct subscript super switch throw throws true try \
        typealias var where while await async any some consume copy borrowing consuming
        """.split(separator: " ").map(String.init))

    /// Names that a type has already, or for which backticks do not help everywhere.
    static let properties: Set<String> = ["self", "init", "let", "var", "inout", "hashValue", "encode"]
    /// Names of cases that are ambiguous.
    static let cases: Set<String> = properties.union(["none", "some", "unknown"])

    /// Types that generated code uses, or that a file of models may want to use.
    static let types: Set<String> = Set(
        """
        Any AnyObject AnyHashable Array Bool Bundle CGFloat Calendar CaseIterable Character Class Clock Codable CodingKey \
        CodingKeys Collection Comparable Data Date DateComponents Decimal Decodable Decoder DecodingError Dictionary Double \
        Duration Element Encodable Encoder EncodingError Equatable Error Float Foundation Hashable Hasher Host ISO8601 \
        ISO8601Milliseconds ISO8601Seconds Identifiable Int Iterator JSON JSONBytes JSONCodable JSONDecodable JSONDecoder \
        JSONEncodable JSONEncoder JSONError JSONFormat JSONNumber JSONPolymorphic JSONReader JSONValue JSONWriter Key Kind Locale \
        LowercaseUUID MainActor Measurement Mirror NSObject Never Notification Operation Optional Package Process Protocol Range \
        RawRepresentable RawValue Regex Repository RequestPath Result Self Sendable Sequence Set StaticString String \
        Substring Swift Task Thread TimeInterval TimeZone Timer Type UInt UInt64 URL URLRequest UUID Unicode Unit UnknownElement \
        Void WharfStack
        """.split(separator: " ").map(String.init))
}
