/// Words that Swift or its libraries have taken.
enum Reserved {
    /// A property or a case of this name stands in backticks.
    static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
        "rethrows",
        "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
        "var",
        "where", "while", "await", "async", "any", "some", "consume", "copy", "borrowing", "consuming",
    ]

    /// Backticks don't help these wherever they stand, or what the compiler makes by itself has them.
    static let members: Set<String> = ["self", "init", "let", "var", "inout", "hashValue", "hash", "encode", "none", "some", "unknown"]

    /// Types that a file of models may want to name by themselves.
    static let types: Set<String> = [
        "Any", "AnyObject", "AnyHashable", "AnyJSON", "Array", "Bool", "Bundle", "CGFloat", "Calendar", "CaseIterable",
        "Character",
        "Class", "Clock", "Codable", "CodingKey", "CodingKeys", "Collection", "Comparable", "Data", "Date",
        "DateComponents",
        "Decimal", "Decodable", "Decoder", "Dictionary", "Double", "Duration", "Element", "Encodable", "Encoder",
        "Equatable",
        "Error", "Float", "Foundation", "Hashable", "Hasher", "Host", "ISO8601Milliseconds", "ISO8601Seconds",
        "Identifiable",
        "Int", "Iterator", "JSONDecoder", "JSONEncoder", "JSONReader", "JSONValue", "JSONWriter", "Key", "Locale",
        "LowercaseUUID", "MainActor", "Measurement", "Mirror", "Never", "NSObject", "Notification", "Operation",
        "Optional",
        "Package", "Process", "Protocol", "Range", "RawRepresentable", "RawValue", "Regex", "Result", "Self",
        "Sendable",
        "Sequence", "Set", "String", "Substring", "Swift", "Task", "Thread", "TimeInterval", "TimeZone", "Timer",
        "Type", "UInt",
        "UInt64", "URL", "URLRequest", "UUID", "Unicode", "Unit", "Void",
    ]
}
