/// A checked document, its index, and the current place of decoding.
///
/// All decoders and containers of one `decode` share it.
///
/// It is not Sendable: like every `Decoder` it belongs to the task that decodes. Decoders and
/// containers that outlive the call keep it alive.
final class CodableDocument {
    let bytes: JSONBytes
    /// Points into the padded memory that `bytes` keeps alive.
    let base: UnsafePointer<UInt8>
    private let tape: Tape
    /// Points into the memory that `tape` owns. Every index in use comes from the tape itself.
    let nodes: UnsafeMutablePointer<TapeNode>
    let options: CodableJSONDecoder
    let usesDefaultKeys: Bool
    let stack: StackBudget
    // Unchecked: no access overlaps one of its own mutating calls. They call no foreign code except
    // to make an entry, which accesses none of these.
    @exclusivity(unchecked) var frames = CodingFrames()
    @exclusivity(unchecked) var routes = TypeTable<CodableRoute>()
    @exclusivity(unchecked) var containers = TypeTable<AnyKeyedNodesMaker>()
    /// The document's keys with their conversions by the key strategy.
    var convertedKeys: [String: String] = [:]
    private(set) lazy var sourceIndex = bytes.withUnsafeBytes { SourceIndex($0) }
    private(set) lazy var parents = TapeParents(self)
    /// The texts of keys in the paths of errors. Many errors below a long key share its text.
    private var keyTexts: [Int: String] = [:]
    private(set) lazy var userInfo: [CodingUserInfoKey: Any] = options.userInfo

    init(_ bytes: JSONBytes, options: CodableJSONDecoder) throws {
        base = UnsafePointer(bytes.storage.base.assumingMemoryBound(to: UInt8.self))
        // Nodes hold offsets of 32 bits, so that the index stays half as large.
        guard bytes.count < UInt32.max else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "The given data is larger than 4 GiB."))
        }
        var scanner = TapeScanner(base: base, count: bytes.count, maximumDepth: options.maximumDepth)
        guard scanner.scan() else { throw Self.unreadable(bytes, options) }
        self.bytes = bytes
        self.options = options
        stack = StackBudget(bytes: options.stackBudget)
        if case .useDefaultKeys = options.keyDecodingStrategy {
            usesDefaultKeys = true
        } else {
            usesDefaultKeys = false
        }
        tape = scanner.finish()
        nodes = tape.nodes
    }

    /// Returns the index of the node after a value.
    @inline(__always) func following(_ node: Int) -> Int {
        switch nodes[node].kind {
        case .array, .object: Int(nodes[node].end)
        default: node + 1
        }
    }

    @inline(__always) func isContainer(_ node: Int) -> Bool {
        nodes[node].kind == .array || nodes[node].kind == .object
    }

    /// Returns the range of a value's bytes.
    func range(of node: Int) -> Range<Int> {
        let value = nodes[node]
        switch value.kind {
        case .array, .object: return Int(value.start)..<Int(nodes[node + 1].start)
        case .string: return Int(value.start) - 1..<Int(value.end) + 1
        default: return Int(value.start)..<Int(value.end)
        }
    }

    /// Returns the text of a string or key.
    @inline(__always) func text(_ node: TapeNode) -> String {
        let start = base + Int(node.start)
        let count = Int(node.end - node.start)
        if _fastPath(node.flags.isEmpty) { return String(ascii: start, count: count) }
        return node.flags.contains(.escaped) ? StringEscape.text(start, count) : String(validUTF8: start, count: count)
    }

    /// Returns the text of a key, which is created once.
    ///
    /// - Parameter node: the index of the key.
    func keyText(_ node: Int) -> String {
        if let known = keyTexts[node] { return known }
        let text = text(nodes[node])
        keyTexts[node] = text
        return text
    }

    /// Returns the text of a number.
    func numberText(_ node: TapeNode) -> String {
        String(ascii: base + Int(node.start), count: Int(node.end - node.start))
    }
}

extension TapeScanner {
    consuming func finish() -> Tape { tape }
}
