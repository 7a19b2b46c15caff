public import WharfJSON

/// A stage that removes fields of properties, traits and context by name.
///
/// It finds them at any depth.
public struct EventRedaction: EventStage {
    private let names: Set<String>
    private let replacement: JSONValue?

    /// Creates a redaction.
    ///
    /// - Parameters:
    ///   - names: the names of the keys, regardless of case.
    ///   - replacement: the value that replaces theirs; nil removes the key.
    public init(_ names: Set<String>, replacement: JSONValue? = nil) {
        self.names = Set(names.map { $0.lowercased() })
        self.replacement = replacement
    }

    public func process(_ event: TrackedEvent) -> TrackedEvent? {
        var event = event
        event.properties = redacted(event.properties)
        event.traitsOnce = redacted(event.traitsOnce)
        event.context = redacted(event.context)
        return event
    }

    private func redacted(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        var result: [String: JSONValue] = [:]
        for (key, value) in fields { result[key] = isSecret(key) ? replacement : redacted(value) }
        return result
    }

    private func redacted(_ value: JSONValue) -> JSONValue {
        switch value.content {
        case .array(let elements): JSONValue(.array(elements.map(redacted)))
        case .object(let members):
            JSONValue(
                .object(
                    members.compactMap { member in
                        guard isSecret(member.key) else { return JSONMember(member.key, redacted(member.value)) }
                        return replacement.map { JSONMember(member.key, $0) }
                    }))
        case .null, .bool, .number, .string: value
        }
    }

    private func isSecret(_ key: String) -> Bool { names.contains(key.lowercased()) }
}

extension EventStage where Self == EventRedaction {
    /// Removes fields by name.
    ///
    /// - Parameter replacement: the value that replaces theirs; nil removes the key.
    public static func redacting(_ names: String..., replacement: JSONValue? = nil) -> Self {
        Self(Set(names), replacement: replacement)
    }
}
