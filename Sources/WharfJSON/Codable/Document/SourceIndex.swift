/// Finds line and column of many places in any order: one pass over the document when the first is
/// asked for, a short walk each.
///
/// A decoder's errors can't wait for the end, as the reader's do: a type may catch them and go on,
/// a hundred thousand times.
struct SourceIndex {
    private static let blockSize = 1024

    private struct Block {
        var line: UInt32
        var lineStart: UInt32
        /// Scalars between the start of the line and of the block.
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
                state.column += 1
            }
        }
    }
}
