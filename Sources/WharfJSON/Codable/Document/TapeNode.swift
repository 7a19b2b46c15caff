/// One value or key of a document, as the index over the document keeps it. Keys are strings that a
/// value follows.
///
/// A scalar takes one node. An array or object takes two: this one, whose `end` is the index of the
/// node behind all it holds, and a second one with the offset behind its closing bracket (`start`),
/// and the key to try first (`end`).
struct TapeNode {
    enum Kind: UInt8 { case null, no, yes, number, string, array, object }

    struct Flags: OptionSet {
        let rawValue: UInt8
        /// A string with escapes.
        static let escaped = Flags(rawValue: 1)
        /// A string that is not all ASCII.
        static let beyondASCII = Flags(rawValue: 2)
        /// A number with a fraction or an exponent.
        static let fractional = Flags(rawValue: 4)
        /// An object whose keys must be looked up by their text: repeated, with escapes, beyond
        /// ASCII, or very many.
        static let irregular = Flags(rawValue: 8)
    }

    /// The offset of the first byte; of a string, behind its quote.
    var start: UInt32
    /// The offset behind the last byte; of a string, its closing quote.
    var end: UInt32
    /// How many elements an array has, or values an object.
    var count: UInt32 = 0
    var kind: Kind
    var flags: Flags = []
}

/// The nodes of one document in its order.
///
/// The memory is allocated here and freed in `deinit`; its first `count` nodes are initialised, and
/// each node that one of them names lies below `count`. Node 0 is a null of its own, for what is
/// asked for and not there; node 1 is the document.
struct Tape: ~Copyable {
    static let absent = 0
    static let root = 1

    private(set) var nodes: UnsafeMutablePointer<TapeNode>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        nodes = .allocate(capacity: self.capacity)
        append(TapeNode(start: 0, end: 0, kind: .null))
    }

    deinit {
        nodes.deallocate()
    }

    @inline(__always) mutating func append(_ node: TapeNode) {
        if _slowPath(count == capacity) { grow() }
        (nodes + count).initialize(to: node)
        count += 1
    }

    @inline(never) private mutating func grow() {
        let larger = UnsafeMutablePointer<TapeNode>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: nodes, count: count)
        nodes.deallocate()
        nodes = larger
        capacity *= 2
    }
}
