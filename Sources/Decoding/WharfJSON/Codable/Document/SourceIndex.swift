/// Finds the line and column of many offsets in any order.
///
/// The first request costs one pass over the document; each lookup is a short scan.
///
/// The reader computes the places of its errors at the end. A decoder can't, because a type may
/// catch an error and go on, a hundred thousand times.
struct SourceIndex {
    private static let blockSize = 1024

    private struct Block {
        var line: UInt32
        var lineStart: UInt32
        /// The number of scalars between the start of the line and the block.
        var column: UInt32
    }

    private let blocks: [Block]

    init(_ bytes: UnsafeRawBufferPointer) {
        var blocks: [Block] = []
        blocks.reserveCapacity(bytes.count / Self.blockSize + 1)
        var state = Block(line: 1, lineStart: 0, column: 0)
        var offset = 0
        repeat {
            blocks.append(state)
            let stop = min(offset + Self.blockSize, bytes.count)
            Self.walk(bytes, offset..<stop, &state)
            offset = stop
        } while offset < bytes.count
        self.blocks = blocks
    }

    func place(of offset: Int, in bytes: UnsafeRawBufferPointer) -> (location: SourceLocation, lineStart: Int) {
        let offset = min(offset, bytes.count)
        // The offset of the end can be the start of a block that does not exist.
        let index = min(offset / Self.blockSize, blocks.count - 1)
        var state = blocks[index]
        Self.walk(bytes, index * Self.blockSize..<offset, &state)
        let location = SourceLocation(offset: offset, line: Int(state.line), column: Int(state.column) + 1)
        return (location, Int(state.lineStart))
    }

    private static func walk(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ state: inout Block) {
        for offset in range {
            let byte = bytes[offset]
            if byte == 0x0A {
                state = Block(line: state.line + 1, lineStart: UInt32(offset + 1), column: 0)
            } else if byte & 0xC0 != 0x80 {
                // Continuation bytes of UTF-8 (10xxxxxx) begin no scalar.
                state.column += 1
            }
        }
    }
}
