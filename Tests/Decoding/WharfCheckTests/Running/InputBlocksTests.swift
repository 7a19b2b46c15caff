import Foundation
import Testing

@testable import WharfCheck

@Suite struct InputBlocksTests {
    enum Way: CaseIterable {
        /// The blocks are parts of a file, and each checking task reads its own.
        case file
        case pipe
    }

    struct Piece {
        var text: String
        /// The number of bytes before the piece.
        var offset: Int
    }

    private func pieces(of text: String, by way: Way, size: Int, isLines: Bool = true) throws -> [Piece] {
        let path: String
        var ends: (out: Descriptor, in: Descriptor)?
        defer { ends?.out.close() }
        switch way {
        case .file:
            path = FileManager.default.temporaryDirectory.appending(path: "wharf-blocks-\(UUID().uuidString)").path
            try Data(text.utf8).write(to: URL(filePath: path))
        case .pipe:
            let pipe = try Descriptor.pipe()
            ends = pipe
            path = "/dev/fd/\(pipe.out.number)"
            Thread.detachNewThread {
                try? pipe.in.write(Array(text.utf8))
                pipe.in.close()
            }
        }
        defer { if way == .file { try? FileManager.default.removeItem(atPath: path) } }
        var blocks = try InputBlocks(path, isLines: isLines, size: size)
        var pieces: [Piece] = []
        while let block = try blocks.next() {
            let (bytes, offset) = try block.read()
            pieces.append(Piece(text: String(decoding: bytes, as: UTF8.self), offset: block.offset + offset))
        }
        return pieces
    }

    @Test(arguments: Way.allCases, [1, 1000, 1 << 16, 100_000, 1 << 20])
    func linesOfAnyLengthComeWholeAndInOrder(_ way: Way, _ size: Int) throws {
        let lengths = size == 1 ? [3, 0, 0, 10, 1] : [10, 0, 200_000, 3, 70_000, 65_536, 1, 300_000]
        for end in ["", "\n", "\n\n"] {
            let text = lengths.map { String(repeating: "x", count: $0) }.joined(separator: "\n") + end
            let pieces = try pieces(of: text, by: way, size: size).filter { !$0.text.isEmpty }
            #expect(pieces.map(\.text).joined() == text)
            #expect(pieces.dropLast().allSatisfy { $0.text.hasSuffix("\n") })
            for (piece, next) in zip(pieces, pieces.dropFirst()) {
                #expect(next.offset == piece.offset + piece.text.utf8.count)
            }
        }
    }

    @Test(arguments: Way.allCases) func anEmptyInputHasNoLinesAndOneDocument(_ way: Way) throws {
        #expect(try pieces(of: "", by: way, size: 10).isEmpty)
        #expect(try pieces(of: "", by: way, size: 10, isLines: false).count == 1)
    }

    @Test func blankLinesAreCounted() {
        var found: [(Int, String)] = []
        let count = Array("a\n \n\nbc\r\nd".utf8)[...].forEachLine { number, line in
            found.append((number, String(decoding: line, as: UTF8.self)))
        }
        #expect(found.map(\.0) == [0, 3, 4])
        #expect(found.map(\.1) == ["a", "bc\r", "d"])
        #expect(count == 5)
    }

    @Test func replacedFileIsNotMistakenForTheFirst() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "wharf-part-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("{}\n".utf8).write(to: file)
        var blocks = try InputBlocks(file.path, isLines: true)
        let block = try #require(try blocks.next())
        guard case .part(let part, _) = block.content else { throw NotAPart() }
        #expect(part.read().map { Array($0.lines) } == Array("{}\n".utf8))
        // An atomic write replaces the file, and does not change it in place.
        try Data("[]\n".utf8).write(to: file, options: .atomic)
        #expect(part.read() == nil)
        #expect(try block.read().bytes.elementsEqual("{}\n".utf8))
        try FileManager.default.removeItem(at: file)
        #expect(part.read() == nil)
        #expect(try block.read().bytes.elementsEqual("{}\n".utf8))
    }

    private struct NotAPart: Error {}

    @Test func missingFileFailsWithItsErrorCode() {
        #expect(throws: Descriptor.Failure(code: ENOENT)) {
            _ = try InputBlocks("/nowhere/at/all", isLines: true)
        }
    }
}
