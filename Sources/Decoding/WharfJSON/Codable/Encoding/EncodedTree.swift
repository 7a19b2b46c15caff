/// The values encoded so far: one buffer with the text of scalars and keys, and a tree over it.
///
/// The document can't be written directly. Containers may be written to in any order, and a key can
/// be set twice.
final class EncodedTree {
    // Invariants:
    // - A node is linked to one parent at most.
    // - `first` and `last` are both 0 or both set, and `count` is the length of the chain between
    //   them.
    // - A scalar (`text`) has no children.
    enum Kind: UInt8 { case pending, text, array, object }

    struct Node {
        var kind = Kind.pending
        var depth: UInt16
        var count: UInt32 = 0
        /// The text of the key with quotes and colon, and the text of a scalar. In most cases the
        /// second follows the first.
        var key = 0..<0
        var value = 0..<0
        /// The first and last child, and the next sibling. 0 is the root, and so means none.
        var first: UInt32 = 0
        var last: UInt32 = 0
        var next: UInt32 = 0
        /// For an object: a filter with a bit per key.
        var filter: UInt64 = 0
    }

    static let root = 0

    let options: CodableJSONEncoder
    let escapesSlashes: Bool
    let usesDefaultKeys: Bool
    private let stack: StackBudget
    // Unchecked: no access overlaps one of its own mutating calls, as they call no foreign code.
    @exclusivity(unchecked) var text = EncodedText()
    @exclusivity(unchecked) var nodes: [Node] = [Node(depth: 0)]
    @exclusivity(unchecked) var frames = CodingFrames()
    @exclusivity(unchecked) var routes = TypeTable<CodableEncodingRoute>()
    @exclusivity(unchecked) var containers = TypeTable<AnyKeyedSlotsMaker>()
    var convertedKeys: [String: String] = [:]
    /// For objects with many keys: the slot of each key.
    var indexes: [Int: [[UInt8]: Int]] = [:]
    /// The first misuse found in a call that can't throw.
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

    /// Whether the root is an object, complete or not.
    ///
    /// A root without content counts as an empty object.
    var isObject: Bool {
        switch nodes[Self.root].kind {
        case .object, .pending: true
        case .text: text.bytes(nodes[Self.root].value).first == 0x7B
        case .array: false
        }
    }

    /// Creates an empty slot for a value of an array or object, without linking it.
    @inline(__always) func detached(below parent: Int) -> Int {
        nodes.append(Node(depth: nodes[parent].depth &+ 1))
        return nodes.count - 1
    }

    /// Turns an empty slot into an array or object; a slot that is one already stays as it is.
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

    /// Links a slot as the last one of an array or object.
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
