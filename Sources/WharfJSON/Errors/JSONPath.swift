/// The way from the top of a document to a value in it.
public struct JSONPath: Sendable, Hashable {
    public enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    public var steps: [Step]

    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// True for the top of the document.
    public var isEmpty: Bool { steps.isEmpty }
}

extension JSONPath: CustomStringConvertible {
    /// `shapes[3].attributes.length`. A key that is not a plain word stands in brackets and quotes:
    /// `["a b"]`; of a long one the first 64 scalars.
    public var description: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key):
                let key = Self.cut(key)
                text += Self.isPlain(key) ? (text.isEmpty ? key : ".\(key)") : "[\(key.debugDescription)]"
            }
        }
    }

    /// A key can be as long as the document, and a message is not.
    private static func cut(_ key: String) -> String {
        guard let end = key.unicodeScalars.index(key.startIndex, offsetBy: 64, limitedBy: key.endIndex),
            end < key.endIndex
        else { return key }
        return key[..<end] + "…"
    }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty
            && key.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0"..."9" ~= $0 || "_-$@".unicodeScalars.contains($0)
            }
    }
}

extension JSONPath: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Step...) {
        steps = elements
    }
}

extension JSONPath.Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .key(value) }
    public init(integerLiteral value: Int) { self = .index(value) }
}
