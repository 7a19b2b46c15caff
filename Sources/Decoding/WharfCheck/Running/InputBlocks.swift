/// Splits an input into blocks for the workers: a document, or many lines with a document each.
struct InputBlocks {
    struct Block {
        enum Content {
            case document(ArraySlice<UInt8>)
            /// Whole lines; the last one ends with a line feed or the input.
            case lines(ArraySlice<UInt8>)
            /// Lines that have not been read yet.
            case part(FilePart, of: InputFile)
        }

        let content: Content
        /// The number of bytes before the block.
        let offset: Int
    }

    private let file: InputFile
    private let path: String?
    private let isLines: Bool
    private let size: Int
    // `rest` is the start of a line whose end has not arrived. `offset` counts the bytes of all
    // blocks returned so far.
    private var rest: [UInt8] = []
    private var offset = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - path: nil for standard input.
    ///   - size: the size of a block of lines, in bytes. A longer line is one block.
    init(_ path: String?, isLines: Bool, size: Int = 1 << 20) throws(Descriptor.Failure) {
        file = InputFile(try path.map { path throws(Descriptor.Failure) in try .open(path) })
        self.path = path
        self.isLines = isLines
        self.size = size
    }

    /// The size of the whole input in bytes, if it is known.
    var expectedSize: Int? { file.descriptor.size }

    /// Whether the next block is available without waiting for the writer.
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

    /// Returns the next part of a file; nil if the input can't be read at any offset.
    ///
    /// Pipes can't, and neither can files that the system generates as they are read.
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
        // A pipe holds no more than that.
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
            // Complete lines of a pipe are passed on at once, because the writer may wait for an
            // answer.
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
    /// Returns the content and the number of bytes of the block before it.
    ///
    /// A part of a file is read again.
    func read() throws(Descriptor.Failure) -> (bytes: ArraySlice<UInt8>, offset: Int) {
        switch content {
        case .document(let bytes), .lines(let bytes): return (bytes, 0)
        case .part(let part, let file):
            let (lines, offset) = try file.descriptor.lines(beginningIn: part.range)
            return (lines, offset)
        }
    }

    /// - Parameter bytes: the bytes read from the block.
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

    /// The size in bytes.
    var size: Int {
        switch content {
        case .document(let bytes), .lines(let bytes): bytes.count
        case .part(let part, _): part.range.count
        }
    }
}

/// An input file, which closes with its last reference.
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
