/// A text, and whether it is written as a block string. Descriptions are such, and string values.
///
/// ```swift
/// let plain: GraphQLString = "one line"
/// let block = GraphQLString("of\nmore lines", isBlock: true)
/// ```
///
/// Two are equal when they have the same Unicode scalars, because a server sees those: a
/// precomposed "é" is not the one of two scalars.
public struct GraphQLString: Sendable {
    public var text: String
    /// Whether it is written between `"""`. A text that would not be read back as it is (with a
    /// carriage return, a blank first or last line, or all of its lines indented) is written in
    /// plain quotes all the same.
    public var isBlock: Bool

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
