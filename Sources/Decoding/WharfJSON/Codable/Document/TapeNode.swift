/// One value or key of a document in its index. A key is a string that a value follows.
///
/// A scalar takes one node, an array or object two. The `end` of the first is the index of the node
/// after all of its content. The second holds the offset after the closing bracket (`start`), and
/// the key to try first (`end`).
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
        /// An object whose keys must be looked up by their text.
        ///
        /// Keys are repeated, have escapes, are not ASCII, or are very many.
        static let irregular = Flags(rawValue: 8)
    }

    /// The offset of the first byte; for a string, of the byte after its quote.
    var start: UInt32
    /// The offset after the last byte; for a string, of its closing quote.
    var end: UInt32
    /// The number of elements of an array, or of values of an object.
    var count: UInt32 = 0
    var kind: Kind
    var flags: Flags = []
}

/// The nodes of one document in document order.
///
/// Invariant: the memory is allocated here and freed in `deinit`. Its first `count` nodes are
/// initialised, and every index in them is below `count`. Node 0 is a null that stands for absent
/// values; node 1 is the document.
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
