/// A text for a value or a description, in plain quotes or as a block string.
///
/// ```swift
/// let plain: GraphQLString = "one line"
/// let block = GraphQLString("of\nmore lines", isBlock: true)
/// ```
///
/// Two texts are equal if their Unicode scalars are, because a server compares those: a precomposed
/// "é" differs from the one of two scalars.
public struct GraphQLString: Sendable {
    /// The text, without quotes and escapes.
    public var text: String
    /// Whether it is printed between `"""`.
    ///
    /// A text that a block string would change is printed in plain quotes instead. That is one with
    /// a carriage return, a blank first or last line, or only indented lines.
    public var isBlock: Bool

    /// Creates a string.
    public init(_ text: String, isBlock: Bool = false) {
        self.text = text
        self.isBlock = isBlock
    }
}

extension GraphQLString: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.isBlock == right.isBlock && left.text.utf8.elementsEqual(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(isBlock)
    }
}

extension GraphQLString: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(text) }
}
