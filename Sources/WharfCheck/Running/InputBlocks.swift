/// An input in pieces that a worker can take: a document, or many lines with a document each.
struct InputBlocks {
    struct Block {
        enum Content {
            case document(ArraySlice<UInt8>)
            /// End behind a line, or at the end of the input.
            case lines(ArraySlice<UInt8>)
            /// Lines that have not been read yet.
            case part(FilePart, of: InputFile)
        }

        let content: Content
        /// How many bytes come before.
        let offset: Int
    }

    private let file: InputFile
    private let path: String?
    private let isLines: Bool
    private let size: Int
    private var rest: [UInt8] = []
    private var offset = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - path: nil for standard input.
    ///   - size: of a block of lines, in bytes. Longer lines are taken whole.
    init(_ path: String?, isLines: Bool, size: Int = 1 << 20) throws(Descriptor.Failure) {
        file = InputFile(try path.map { path throws(Descriptor.Failure) in try .open(path) })
        self.path = path
        self.isLines = isLines
        self.size = size
    }

    /// Of the whole input, in bytes, where that is known.
    var expectedSize: Int? { file.descriptor.size }

    /// Whether the next block can be had without waiting for who writes it.
    var isReady: Bool { file.descriptor.isReadable }

    mutating func next() throws(Descriptor.Failure) -> Block? {
        guard !isAtEnd else { return nil }
        guard isLines else { return try wholeDocument() }
        return if let part = nextPart() { part } else { try nextLines() }
    }

    private mutating func wholeDocument() throws(Descriptor.Failure) -> Block {
        var bytes: [UInt8] = []
        let descriptor = file.descriptor
        if let size = descriptor.size { bytes.reserveCapacity(size + 1) }
        while try descriptor.read(
            into: &bytes, upTo: max(1 << 16, min((descriptor.size ?? 0) + 1 - bytes.count, 1 << 24))) > 0
        {}
        isAtEnd = true
        return Block(content: .document(bytes[...]), offset: 0)
    }

    /// nil for what can't be read from any place, as pipes can't be, and files that the system
    /// makes up as they are read.
    private mutating func nextPart() -> Block? {
        guard let path, let length = file.descriptor.size, length > 0, let identity = file.descriptor.identity else {
            return nil
        }
        let end = min(length, offset + size)
        defer { offset = end }
        isAtEnd = end == length
        return Block(
            content: .part(FilePart(path: path, identity: identity, range: min(offset, end)..<end), of: file),
            offset: offset)
    }

    private mutating func nextLines() throws(Descriptor.Failure) -> Block? {
        var bytes = rest
        rest = []
        var searched = 0
        // More than that is not in a pipe.
        let piece = file.descriptor.size == nil ? 1 << 16 : size
        while true {
            let count = try file.descriptor.read(into: &bytes, upTo: piece)
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
        defer { offset += bytes.count }
        return Block(content: .lines(bytes[...]), offset: offset)
    }
}

extension InputBlocks.Block {
    /// What it has, with how many bytes of the block come before: read anew where that is not at
    /// hand.
    func read() throws(Descriptor.Failure) -> (bytes: ArraySlice<UInt8>, offset: Int) {
        switch content {
        case .document(let bytes), .lines(let bytes): return (bytes, 0)
        case .part(let part, let file):
            let (lines, offset) = try file.descriptor.lines(beginningIn: part.range)
            return (lines, offset)
        }
    }

    /// - Parameter bytes: what was read of it.
    func isOneDocument(_ bytes: ArraySlice<UInt8>) -> Bool {
        if case .document = content { return true }
        var count = 0
        _ = bytes.forEachLine { _, _ in count += 1 }
        return count == 1
    }

    var request: WorkerRequest.Input {
        switch content {
        case .document(let bytes): .document(bytes)
        case .lines(let bytes): .lines(bytes)
        case .part(let part, _): .part(part)
        }
    }

    /// In bytes.
    var size: Int {
        switch content {
        case .document(let bytes), .lines(let bytes): bytes.count
        case .part(let part, _): part.range.count
        }
    }
}

/// Open until nobody needs it any more.
final class InputFile {
    let descriptor: Descriptor
    private let isOwned: Bool

    /// - Parameter descriptor: nil for standard input, which stays open.
    init(_ descriptor: Descriptor?) {
        self.descriptor = descriptor ?? .input
        isOwned = descriptor != nil
    }

    deinit {
        if isOwned { descriptor.close() }
    }
}
