/// An input in pieces that a worker can take: a document, or many lines with a document each.
struct InputBlocks: ~Copyable {
    struct Block: Sendable {
        /// Ends behind a line, or at the end of the input.
        var bytes: ArraySlice<UInt8>
        /// How many bytes and lines come before.
        var offset = 0
        var line = 0
    }

    private let descriptor: Descriptor
    private let isOwned: Bool
    private let isLines: Bool
    private let size: Int
    private var rest: [UInt8] = []
    private var offset = 0
    private var line = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - path: nil for standard input.
    ///   - size: of a block of lines, in bytes. Longer lines are taken whole.
    init(_ path: String?, isLines: Bool, size: Int = 1 << 20) throws(Descriptor.Failure) {
        if let path { descriptor = try .open(path) } else { descriptor = .input }
        isOwned = path != nil
        self.isLines = isLines
        self.size = size
    }

    deinit {
        if isOwned { descriptor.close() }
    }

    /// Of the whole input, in bytes, where that is known.
    var expectedSize: Int? { descriptor.size }

    /// Whether the next block can be had without waiting for who writes it.
    var isReady: Bool { descriptor.isReadable }

    mutating func next() throws(Descriptor.Failure) -> Block? {
        guard !isAtEnd else { return nil }
        return isLines ? try nextLines() : try wholeDocument()
    }

    private mutating func wholeDocument() throws(Descriptor.Failure) -> Block {
        var bytes: [UInt8] = []
        if let size = descriptor.size { bytes.reserveCapacity(size + 1) }
        while try descriptor.read(
            into: &bytes, upTo: max(1 << 16, min((descriptor.size ?? 0) + 1 - bytes.count, 1 << 24))) > 0
        {}
        isAtEnd = true
        return Block(bytes: bytes[...])
    }

    private mutating func nextLines() throws(Descriptor.Failure) -> Block? {
        var bytes = rest
        rest = []
        bytes.reserveCapacity(size + (1 << 16))
        var searched = 0
        while true {
            let count = try descriptor.read(into: &bytes, upTo: max(1 << 16, size - bytes.count))
            if count == 0 {
                isAtEnd = true
                break
            }
            guard let end = bytes[searched...].lastIndex(of: UInt8(ascii: "\n")) else {
                searched = bytes.count
                continue
            }
            // What a pipe has now is passed on at once: somebody may be waiting for an answer.
            rest = Array(bytes[(end + 1)...])
            bytes.removeSubrange((end + 1)...)
            break
        }
        guard !bytes.isEmpty else { return nil }
        let block = Block(bytes: bytes[...], offset: offset, line: line)
        offset += bytes.count
        line += bytes.count { $0 == UInt8(ascii: "\n") }
        return block
    }
}

extension InputBlocks.Block {
    /// Each line by itself, but for blank ones.
    var lines: [InputBlocks.Block] {
        var lines: [InputBlocks.Block] = []
        bytes.forEachLine { number, line in
            lines.append(
                InputBlocks.Block(
                    bytes: line, offset: offset + line.startIndex - bytes.startIndex, line: self.line + number))
        }
        return lines
    }
}
