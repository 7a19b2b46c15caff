/// Decodes `Decodable` types from JSON, with the results of Foundation's decoder.
///
/// It is several times as fast as `JSONDecoder`, and its errors name the place of the fault.
///
/// ```swift
/// var decoder = CodableJSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let users = try decoder.decode([User].self, from: bytes)
/// ```
///
/// Strategies and defaults have Foundation's names and meaning. Those for dates, data, URLs and
/// decimals are in `WharfJSONFoundation`, and take effect when that module is linked. SwiftPM and
/// Xcode link all of a package's library. A custom build with static archives must load the whole
/// archive.
///
/// The whole document is checked against RFC 8259 first. So some input that Foundation accepts is
/// an error here: trailing commas, and faults in values that are not read.
///
/// The errors are the `DecodingError`s that Foundation throws, with the same coding path. Their
/// `underlyingError` is a ``JSONError`` with line, column and path in the document.
public struct CodableJSONDecoder: Sendable {
    /// The conversion of a document's key before it is compared with a type's key.
    public enum KeyDecodingStrategy: Sendable {
        /// The keys stay as they are.
        case useDefaultKeys
        /// `one_two` is read as `oneTwo`. Underscores at both ends stay.
        case convertFromSnakeCase
        /// The result of a closure.
        ///
        /// - Parameter codingPath: the path down to the key to convert.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// The way infinite numbers and NaN are read, which JSON can't express.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// They are an error.
        case `throw`
        /// They are read from these strings.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The conversion of the document's keys; none by default.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
    /// The way infinite numbers and NaN are read; an error by default.
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw
    /// The `userInfo` of the decoder that the types get.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The maximum nesting of arrays and objects: 512 by default, 1,000 at most.
    ///
    /// Beyond it decoding fails, and does not crash. Fewer levels are possible if the types need
    /// more stack than the thread has.
    public var maximumDepth = 512 { didSet { maximumDepth = JSONReadingOptions.depth(maximumDepth) } }
    /// The stack that decoding may use, in bytes.
    package var stackBudget = StackBudget.standard
    /// The settings of other modules, by their types.
    package var settings = CodableSettings()

    /// Creates a decoder with Foundation's defaults.
    public init() {}

    /// Returns the value decoded from a document.
    ///
    /// - Throws: a `DecodingError`, or an error that a type's own `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: JSONBytes) throws -> Value {
        let document = try CodableDocument(bytes, options: self)
        do {
            return try document.decode(type, at: .root)
        } catch let error as DecodingError {
            throw document.located(error)
        }
    }

    /// Returns the value decoded from a document.
    ///
    /// - Throws: a `DecodingError`, or an error that a type's own `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try decode(type, from: JSONBytes(bytes))
    }
}

/// Settings whose types this module does not know.
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
            // This decoder's own errors have their place already, and other causes must stay.
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

    /// Returns the value at a coding path, or the last value on the path that exists.
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

    /// Returns the value for an unconverted key, which dictionaries use under every strategy.
    private func plainValue(_ key: String, _ object: Int) -> Int? {
        var found: Int?
        forEachKey(of: object) { text, index in
            if found == nil, text == key { found = index }
        }
        return found
    }
}
