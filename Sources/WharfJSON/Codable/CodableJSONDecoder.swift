/// Decodes `Decodable` types from JSON as Foundation's `JSONDecoder` does, several times as fast,
/// and says where a fault lies.
///
/// ```swift
/// var decoder = CodableJSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let users = try decoder.decode([User].self, from: bytes)
/// ```
///
/// Strategies and defaults have Foundation's names and meaning; those for dates, data, URLs and
/// decimals are in `WharfJSONFoundation`, and are in force as soon as that is linked (as SwiftPM
/// and Xcode do for a package's library; a build of one's own that links static archives must load
/// all of it). The document is checked against RFC 8259 as a whole first, so some of what
/// Foundation lets pass is an error here: trailing commas, and faults in values that nobody reads.
///
/// Errors are the `DecodingError`s that Foundation throws, with the same coding path. Their
/// `underlyingError` is a ``JSONError`` with line, column and path in the document.
public struct CodableJSONDecoder: Sendable {
    /// What becomes of a key of the document before it is compared with a type's.
    public enum KeyDecodingStrategy: Sendable {
        case useDefaultKeys
        /// `one_two` is read as `oneTwo`. Underscores at both ends stay.
        case convertFromSnakeCase
        /// - Parameter codingPath: down to the key that is to be converted.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How infinite numbers and NaN are read, for which JSON has no form.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        case `throw`
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw
    /// What the decoded types find in their decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// How deep arrays and objects may nest. Beyond it decoding fails, and does not crash. At most
    /// 1,000, and less where the types take so much of the stack that a thread has no room for it.
    public var maximumDepth = 512 { didSet { maximumDepth = JSONReadingOptions.depth(maximumDepth) } }
    /// In bytes.
    package var stackBudget = StackBudget.standard
    /// What other modules set, by the type of the setting.
    package var settings = CodableSettings()

    public init() {}

    /// - Throws: a `DecodingError`, or what a type's own `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: JSONBytes) throws -> Value {
        let document = try CodableDocument(bytes, options: self)
        do {
            return try document.decode(type, at: .root)
        } catch let error as DecodingError {
            throw document.located(error)
        }
    }

    /// - Throws: a `DecodingError`, or what a type's own `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try decode(type, from: JSONBytes(bytes))
    }
}

/// Settings of types that this module does not know.
package struct CodableSettings: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    package init() {}

    package subscript<Value: Sendable>(type: Value.Type) -> Value? {
        get { values[ObjectIdentifier(type)] as? Value }
        set { values[ObjectIdentifier(type)] = newValue }
    }
}

extension CodableDocument {
    /// Adds the place to an error of a type's own `init(from:)`, as far as its coding path leads.
    func located(_ error: DecodingError) -> DecodingError {
        func located(
            _ context: DecodingError.Context, _ code: JSONIssue.Code, _ expected: String
        ) -> DecodingError.Context {
            guard context.underlyingError == nil else { return context }
            let (index, path) = follow(context.codingPath)
            return DecodingError.Context(
                codingPath: context.codingPath, debugDescription: context.debugDescription,
                underlyingError: self.error(code, expected, at: index, path: path))
        }
        return switch error {
        case .dataCorrupted(let context):
            .dataCorrupted(located(context, .invalidValue, "another value (\(context.debugDescription))"))
        case .keyNotFound(let key, let context):
            .keyNotFound(key, located(context, .missingKey, "a value for the key \"\(key.stringValue)\""))
        case .typeMismatch(let type, let context):
            .typeMismatch(type, located(context, .typeMismatch, Self.expectation(type)))
        case .valueNotFound(let type, let context):
            .valueNotFound(type, located(context, .typeMismatch, Self.expectation(type)))
        @unknown default: error
        }
    }

    /// The value that a coding path leads to, or the last one on the way that is there.
    private func follow(_ path: [any CodingKey]) -> (index: Int, path: JSONPath) {
        var place = CodingPlace.root
        var found: [JSONPath.Step] = []
        for key in path {
            let object = place.index
            var step: (index: Int, step: JSONPath.Step)?
            if nodes[object].kind == .object {
                let index = KeyIndex(object, of: self, at: place)
                step = (index.values[key.stringValue] ?? plainValue(key.stringValue, object)).map {
                    ($0, .key(text(nodes[$0 - 1])))
                }
            } else if nodes[object].kind == .array, let wanted = key.intValue, 0..<Int(nodes[object].count) ~= wanted {
                var child = object + 2
                for _ in 0..<wanted { child = following(child) }
                step = (child, .index(wanted))
            }
            guard let step else { break }
            found.append(step.step)
            place = place.linked(step.index, key)
        }
        return (place.index, JSONPath(found))
    }

    /// By the key as it stands, which dictionaries have under every strategy.
    private func plainValue(_ key: String, _ object: Int) -> Int? {
        var found: Int?
        forEachKey(of: object) { text, index in
            if found == nil, text == key { found = index }
        }
        return found
    }
}
