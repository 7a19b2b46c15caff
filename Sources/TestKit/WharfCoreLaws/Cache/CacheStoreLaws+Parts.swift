internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension CacheStoreLaws {
    static let parts: [Law<Subject>] = [
        Law("a part of a body is exactly the selected bytes that it has") { subject in
            let store = try await subject.roomy()
            // The longest is long enough for a store that keeps large bodies in another way.
            for size in [0, 1, 5_000, 300_000] {
                let bytes = pattern(size, seed: 3)
                let id = try await put(store, head("\(size)"), bytes, inPiecesOf: 70_001)
                for part in partsToSelect(of: Int64(size)) {
                    let first = min(Int(part.lowerBound), size)
                    let expected = Array(bytes[first..<max(first, Int(min(part.upperBound, Int64(size - 1))) + 1)])
                    let found = try await store.lookup(key) { _ in CacheSelection(id: id, part: part) }
                    try require(found.variants.first?.length == Int64(size), "the length is that of the part")
                    let body = try require(found.body, "no body for the part \(part) of \(size) bytes")
                    let announced = body.expectedLength
                    try require(
                        announced == nil || announced == Int64(expected.count),
                        "\(String(describing: announced)) bytes are announced for \(part) of \(size)")
                    let read = try await body.collect()
                    try require(
                        read == expected, "the part \(part) of \(size) bytes came back as \(read.count) other bytes")
                }
                try require(try await body(store, id) == bytes, "the whole body of \(size) bytes changed")
            }
        },
        Law("a body that was looked up can be read after its entry is gone") { subject in
            for size in [5_000, 300_000] {
                let store = try await subject.roomy()
                let old = pattern(size, seed: 5)
                let id = try await put(store, head("old"), old, inPiecesOf: 70_001)
                let whole = try await store.lookup(key) { _ in CacheSelection(id: id) }.body
                try await put(store, head("new"), pattern(size, seed: 6), inPiecesOf: 70_001)
                try await store.removeAll(under: key)
                try require(try await whole?.collect() == old, "the body of \(size) bytes was taken from its reader")
            }
        },
    ]

    /// Parts at the ends, around them, and around the borders of pieces of 64 KiB.
    private static func partsToSelect(of length: Int64) -> [ClosedRange<Int64>] {
        let borders: [Int64] = [0, 65_535, 65_536, 131_072, length - 1, length, .max].filter { $0 >= 0 }
        return borders.flatMap { first in borders.filter { $0 >= first }.map { first...$0 } }
    }
}
