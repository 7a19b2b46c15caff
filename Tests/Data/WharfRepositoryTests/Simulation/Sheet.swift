import WharfCore

/// A model whose numbers only grow: a revision, and one count per process.
struct Sheet: Identifiable, Hashable, Sendable {
    let id: Int
    /// Incremented by the service with each change.
    var revision = 0
    /// Only the process with an index increments the count at that index.
    var counts = [0, 0]

    /// Merges two later versions: each count that `mine` has changed, over `theirs`.
    func merged(mine: Sheet, theirs: Sheet) -> Sheet {
        var merged = theirs
        for index in counts.indices where mine.counts[index] != counts[index] {
            merged.counts[index] = mine.counts[index]
        }
        return merged
    }

    static let kind = unmergedKind.merging { conflict in
        guard let base = conflict.base, let mine = conflict.mine, let theirs = conflict.theirs else { return nil }
        return base.merged(mine: mine, theirs: theirs)
    }

    static let unmergedKind = EntityKind("sheet", codec: codec).identifying {
        Sheet(id: $1, revision: $0.revision, counts: $0.counts)
    }

    /// One line per member, so that each member can be changed by itself.
    private static let codec = Codec<Sheet>(members: .lines) { sheet in
        Array("id=\(sheet.id)\nrevision=\(sheet.revision)\n0=\(sheet.counts[0])\n1=\(sheet.counts[1])".utf8)
    } decode: { bytes, _ in
        let numbers = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            Int(String(decoding: line.drop { $0 != UInt8(ascii: "=") }.dropFirst(), as: UTF8.self))
        }
        guard numbers.count == 4 else { throw Unreadable(bytes: bytes) }
        return Sheet(id: numbers[0], revision: numbers[1], counts: [numbers[2], numbers[3]])
    }

    private struct Unreadable: Error {
        let bytes: [UInt8]
    }
}

extension Sheet? {
    /// The text for a violation.
    var text: String { map { "\($0)" } ?? "no sheet" }
}
