/// A type in generated `Codable` code.
///
/// Dates and some UUIDs are coded through a wrapper type that keeps their format.
struct Coded {
    let type: ValueType
    private let plan: Plan

    init(_ type: ValueType, _ plan: Plan) { (self.type, self.plan) = (type, plan) }

    /// Whether it is decoded as a wrapper type.
    var isWrapped: Bool { type.contains { Self.wrapper($0) != nil } }

    /// The type that is decoded.
    var codedText: String { Self.text(type, plan) }

    /// Returns the expression that decodes a value.
    ///
    /// - Parameter head: the start of the call, as in `try container.decode`.
    /// - Parameter tail: the text after the type, such as `, forKey: .name`.
    func read(_ head: String, _ tail: String, isOptional: Bool = false) -> String {
        unwrapped("\(head)(\(codedText).self\(tail))", isOptional: isOptional)
    }

    func unwrapped(_ value: String, isOptional: Bool = false) -> String {
        guard isWrapped else { return value }
        let type = isOptional ? ValueType.optional(type) : type
        // One `try` covers the whole expression.
        return Self.unwrapped(type, value)
    }

    func written(_ value: String, isOptional: Bool = false) -> String {
        guard isWrapped else { return value }
        return Self.wrapped(isOptional ? .optional(type) : type, value)
    }

    static func wrapper(_ type: ValueType) -> String? {
        switch type {
        case .date(let hasMilliseconds): hasMilliseconds ? "ISO8601Milliseconds" : "ISO8601Seconds"
        case .uuid(isUppercase: false): "LowercaseUUID"
        default: nil
        }
    }

    private static func text(_ type: ValueType, _ plan: Plan) -> String {
        switch type {
        case .array(let element): "[\(text(element, plan))]"
        case .map(let value): "[String: \(text(value, plan))]"
        case .optional(let wrapped): text(wrapped, plan) + "?"
        default: wrapper(type) ?? plan.text(type)
        }
    }

    private static func unwrapped(_ type: ValueType, _ value: String) -> String {
        switch type {
        case .array(let inner), .optional(let inner):
            inner.contains({ wrapper($0) != nil })
                ? "\(value).map { \(unwrapped(inner, "$0")) }" : value
        case .map(let inner):
            inner.contains({ wrapper($0) != nil })
                ? "\(value).mapValues { \(unwrapped(inner, "$0")) }" : value
        default: wrapper(type) == nil ? value : "\(value).value"
        }
    }

    private static func wrapped(_ type: ValueType, _ value: String) -> String {
        switch type {
        case .array(let inner), .optional(let inner):
            inner.contains({ wrapper($0) != nil })
                ? "\(value).map { \(wrapped(inner, "$0")) }" : value
        case .map(let inner):
            inner.contains({ wrapper($0) != nil })
                ? "\(value).mapValues { \(wrapped(inner, "$0")) }" : value
        default: wrapper(type).map { "\($0)(\(value))" } ?? value
        }
    }
}

extension ValueType {
    /// The type with strings in place of formats that need generated code.
    var withoutForms: ValueType {
        switch self {
        case .array(let inner): .array(inner.withoutForms)
        case .map(let inner): .map(inner.withoutForms)
        case .optional(let inner): .optional(inner.withoutForms)
        default: Coded.wrapper(self) == nil ? self : .string
        }
    }
}

extension Schema {
    /// Returns the schema with strings in place of formats that the form can't code.
    ///
    /// WharfJSON has no formats for the values of a dictionary.
    func readable(in form: GenerationOptions.Form) -> Schema {
        guard form == .direct else { return self }
        var schema = self
        schema.root = schema.root.withoutFormsInMaps
        for index in schema.declarations.indices {
            schema.declarations[index].content = schema.declarations[index].content.mapped { $0.withoutFormsInMaps }
        }
        return schema
    }
}

extension ValueType {
    fileprivate var withoutFormsInMaps: ValueType {
        switch self {
        case .array(let inner): .array(inner.withoutFormsInMaps)
        case .map(let inner): .map(inner.withoutForms)
        case .optional(let inner): .optional(inner.withoutFormsInMaps)
        default: self
        }
    }
}
