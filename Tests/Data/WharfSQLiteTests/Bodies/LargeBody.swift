import WharfCore
import WharfRandom
import WharfStorage

@testable import WharfSQLite

/// Bodies that are longer than the limit of a row.
enum LargeBody {
    /// Bytes that differ from place to place.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        let words = (0..<count / 8 + 1).map { _ in random.next() }
        return Array(words.withUnsafeBytes(Array.init).prefix(count))
    }
}

extension CacheStore {
    /// Stores a body in pieces of a size that no piece of a file has.
    @discardableResult
    func keepLarge(
        _ target: String, _ body: [UInt8], account: Account? = nil, inPiecesOf size: Int = 50_021
    ) async throws(StoreError) -> Int64 {
        let writer = try await begin(CacheKey(account: account, target: target), .sample)
        for start in stride(from: 0, to: body.count, by: size) {
            try await writer.append(Array(body[start..<min(start + size, body.count)]))
        }
        return try await writer.commit()
    }
}

/// Reads until the end or an error.
func readAll(_ body: BodyStream) async -> (bytes: [UInt8], failure: TransportError?) {
    var bytes: [UInt8] = []
    do {
        for try await chunk in body { bytes += chunk }
        return (bytes, nil)
    } catch {
        return (bytes, error)
    }
}
