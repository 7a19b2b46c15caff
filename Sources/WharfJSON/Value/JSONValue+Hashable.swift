extension JSONValue: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.content == right.content }
    public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

/// Texts are compared byte by byte: those that Unicode calls canonically equal are two.
extension JSONValue.Content: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(utf8: text)
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSONMember: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(utf8: key)
        hasher.combine(value)
    }
}

extension Hasher {
    fileprivate mutating func combine(utf8 text: String) {
        var text = text
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
        combine(text.utf8.count)
    }
}
