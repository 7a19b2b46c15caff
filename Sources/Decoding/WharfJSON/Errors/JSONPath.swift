/// The path from the top of a document to a value.
public struct JSONPath: Sendable, Hashable {
    /// A step to the value for a key or to the element at an index.
    public enum Step: Sendable, Hashable {
        /// To the value for a key of an object.
        case key(String)
        /// To an element of an array, counted from 0.
        case index(Int)
    }

    /// The steps from the top; empty for the top itself.
    public var steps: [Step]

    /// Creates a path; without steps it is the top of the document.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// Whether this is the top of the document.
    public var isEmpty: Bool { steps.isEmpty }
}

extension JSONPath: CustomStringConvertible {
    /// The path as in `shapes[3].attributes.length`.
    ///
    /// A key that is not a plain word stands in brackets and quotes: `["a b"]`. A long key is cut
    /// after 64 scalars.
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

    /// Cuts a key, which can be as long as the document, for a message.
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
