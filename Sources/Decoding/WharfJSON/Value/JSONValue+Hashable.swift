extension JSONValue: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.content == right.content }
    public func hash(into hasher: inout Hasher) { content.hash(into: &hasher) }
}

/// Compares text byte by byte, so canonically equivalent strings differ.
///
/// It does not recurse: the children of arrays and objects wait in a list, so a deep tree does not
/// grow the stack.
extension JSONValue.Content: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        var rest: [(Self, Self)] = []
        guard mayEqual(left, right, &rest) else { return false }
        // The pairs have the same kind and length, so `zip` leaves nothing out. Their order does
        // not matter to the result.
        while let pair = rest.popLast() {
            switch pair {
            case (.array(let left), .array(let right)):
                for (left, right) in zip(left, right) {
                    guard mayEqual(left.content, right.content, &rest) else { return false }
                }
            case (.object(let left), .object(let right)):
                for (left, right) in zip(left, right) {
                    guard left.key.utf8.elementsEqual(right.key.utf8),
                        mayEqual(left.value.content, right.value.content, &rest)
                    else { return false }
                }
            default: break
            }
        }
        return true
    }

    /// Compares scalars, and the lengths of arrays and objects.
    ///
    /// Arrays and objects of equal length are added to the list.
    private static func mayEqual(_ left: Self, _ right: Self, _ rest: inout [(Self, Self)]) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right
        case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.array(let first), .array(let second)):
            guard first.count == second.count else { return false }
        case (.object(let first), .object(let second)):
            guard first.count == second.count else { return false }
        default: return false
        }
        rest.append((left, right))
        return true
    }

    public func hash(into hasher: inout Hasher) {
        var rest: [Self] = []
        hash(into: &hasher, &rest)
        while let content = rest.popLast() {
            switch content {
            case .array(let elements):
                for element in elements { element.content.hash(into: &hasher, &rest) }
            case .object(let members):
                for member in members {
                    hasher.combine(utf8: member.key)
                    member.value.content.hash(into: &hasher, &rest)
                }
            default: break
            }
        }
    }

    /// Hashes scalars, and the lengths of arrays and objects, which are added to the list.
    private func hash(into hasher: inout Hasher, _ rest: inout [Self]) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(utf8: text)
        case .array(let elements):
            hasher.combine(elements.count)
            rest.append(self)
        case .object(let members):
            hasher.combine(members.count)
            rest.append(self)
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
        // The length separates texts: without it "ab", "c" and "a", "bc" would feed the same bytes.
        combine(text.utf8.count)
    }
}
