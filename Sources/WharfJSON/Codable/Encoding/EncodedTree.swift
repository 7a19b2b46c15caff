/// What has been encoded so far: the texts of scalars and keys in one buffer, and a tree over them.
///
/// A tree, and not the document itself, because containers may be written to in any order, and to a
/// key a second time.
final class EncodedTree {
    enum Kind: UInt8 { case pending, text, array, object }

    struct Node {
        var kind = Kind.pending
        var depth: UInt16
        var count: UInt32 = 0
        /// The text of the key with quotes and colon, and that of a scalar. Mostly the second lies
        /// behind the first.
        var key = 0..<0
        var value = 0..<0
        /// The children in their order; 0 is the root, and so none.
        var first: UInt32 = 0
        var last: UInt32 = 0
        var next: UInt32 = 0
        /// Of an object: a bit for each key it has.
        var filter: UInt64 = 0
    }

    static let root = 0

    let options: CodableJSONEncoder
    let escapesSlashes: Bool
    let usesDefaultKeys: Bool
    private let stack: StackBudget
    // Unchecked: never accessed while one of its own mutating calls runs, as none of them calls
    // out.
    @exclusivity(unchecked) var text = EncodedText()
    @exclusivity(unchecked) var nodes: [Node] = [Node(depth: 0)]
    @exclusivity(unchecked) var frames = CodingFrames()
    @exclusivity(unchecked) var routes = TypeTable<CodableEncodingRoute>()
    @exclusivity(unchecked) var containers = TypeTable<AnyKeyedSlotsMaker>()
    var convertedKeys: [String: String] = [:]
    /// For objects of many keys: where each of them is.
    var indexes: [Int: [[UInt8]: Int]] = [:]
    /// What was found wrong where nothing can be thrown.
    private(set) var misuse: String?
    lazy var userInfo: [CodingUserInfoKey: Any] = options.userInfo

    init(_ options: CodableJSONEncoder) {
        self.options = options
        stack = StackBudget(bytes: options.stackBudget)
        escapesSlashes = !options.outputFormatting.contains(.withoutEscapingSlashes)
        if case .useDefaultKeys = options.keyEncodingStrategy {
            usesDefaultKeys = true
        } else {
            usesDefaultKeys = false
        }
    }

    /// Whether what was written is an object, be it to its end or not; of nothing it is an empty
    /// one.
    var isObject: Bool {
        switch nodes[Self.root].kind {
        case .object, .pending: true
        case .text: text.bytes(nodes[Self.root].value).first == 0x7B
        case .array: false
        }
    }

    /// An empty slot for a value below an array or object, not yet in it.
    @inline(__always) func detached(below parent: Int) -> Int {
        nodes.append(Node(depth: nodes[parent].depth &+ 1))
        return nodes.count - 1
    }

    /// Turns an empty slot into an array or object; one that is that already is left as it is.
    func open(_ slot: Int, as kind: Kind) {
        if nodes[slot].kind == kind { return }
        guard nodes[slot].kind == .pending else {
            return note(misuse: "a second container or value at the same place, of another kind")
        }
        nodes[slot].kind = kind
        if Int(nodes[slot].depth) >= options.maximumDepth { note(misuse: tooDeep) }
    }

    var tooDeep: String { "more than \(options.maximumDepth) levels of arrays and objects" }

    @inline(__always) var isStackUsedUp: Bool { frames.count > StackBudget.shallow && stack.isUsedUp }

    func note(misuse message: String) { misuse = misuse ?? message }

    /// Writes the text of a scalar into an empty slot.
    @inline(__always) func fill(_ slot: Int, _ write: (inout EncodedText) -> Void) {
        guard nodes[slot].kind == .pending else { return note(misuse: "a second value at the same place") }
        let start = text.count
        write(&text)
        nodes[slot].value = start..<text.count
        nodes[slot].kind = .text
    }

    /// Puts a slot behind the others of an array or object.
    @inline(__always) func append(_ slot: Int, to parent: Int) {
        let last = Int(nodes[parent].last)
        if last == 0 {
            nodes[parent].first = UInt32(truncatingIfNeeded: slot)
        } else {
            nodes[last].next = UInt32(truncatingIfNeeded: slot)
        }
        nodes[parent].last = UInt32(truncatingIfNeeded: slot)
        nodes[parent].count += 1
    }

    func path(_ place: CodingPlace) -> [any CodingKey] { frames.steps(place).steps.map(\.key) }
}
