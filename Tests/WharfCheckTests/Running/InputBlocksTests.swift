import Foundation
import Testing

@testable import WharfCheck

@Suite struct InputBlocksTests {
    private func blocks(_ text: String, size: Int, isLines: Bool = true) throws -> [(String, offset: Int, line: Int)] {
        let file = FileManager.default.temporaryDirectory.appending(path: "wharf-blocks-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        var blocks = try InputBlocks(file.path, isLines: isLines, size: size)
        var found: [(String, offset: Int, line: Int)] = []
        while let block = try blocks.next() {
            found.append((String(decoding: block.bytes, as: UTF8.self), block.offset, block.line))
        }
        return found
    }

    @Test(arguments: [1, 1 << 16, 100_000, 1 << 20])
    func linesComeWholeAndInOrderHoweverLongTheyAre(_ size: Int) throws {
        let lines = [10, 0, 200_000, 3, 70_000, 65_536, 1, 300_000].map { String(repeating: "x", count: $0) }
        let text = lines.joined(separator: "\n")
        let blocks = try blocks(text, size: size)
        #expect(blocks.map(\.0).joined() == text)
        for (block, next) in zip(blocks, blocks.dropFirst()) {
            #expect(block.0.hasSuffix("\n"))
            #expect(next.offset == block.offset + block.0.utf8.count)
            #expect(next.line == block.line + block.0.count { $0 == "\n" })
        }
    }

    @Test func anEmptyInputHasNoLinesAndOneDocument() throws {
        #expect(try blocks("", size: 10).isEmpty)
        #expect(try blocks("", size: 10, isLines: false).count == 1)
    }

    @Test func aBlockKnowsWhereItsLinesAre() {
        let block = InputBlocks.Block(bytes: Array("a\n \n\nbc\r\nd".utf8)[...], offset: 100, line: 7)
        #expect(block.lines.map { String(decoding: $0.bytes, as: UTF8.self) } == ["a", "bc\r", "d"])
        #expect(block.lines.map(\.offset) == [100, 105, 109])
        #expect(block.lines.map(\.line) == [7, 10, 11])
    }

    @Test func whatIsNotThereSaysWhy() {
        #expect(throws: Descriptor.Failure(code: ENOENT)) {
            _ = try blocksOf("/nowhere/at/all")
        }
    }

    private func blocksOf(_ path: String) throws -> Int? {
        let blocks = try InputBlocks(path, isLines: true)
        return blocks.expectedSize
    }
}
