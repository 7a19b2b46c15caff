/// The choice of one variant in a lookup, and of the wanted part of its body.
public struct CacheSelection: Sendable, Hashable {
    /// The id of the variant.
    public var id: StoredResponse.ID
    /// The positions of the wanted bytes in the stored body, the first being 0; nil for all bytes.
    ///
    /// Positions that the body does not have are left out. If it has none of them, the part is
    /// empty.
    public var part: ClosedRange<Int64>?

    /// Creates a selection, by default of the whole body.
    public init(id: StoredResponse.ID, part: ClosedRange<Int64>? = nil) {
        self.id = id
        self.part = part
    }

    /// Returns the wanted bytes of a body of this length, which is not negative.
    package func bytes(of length: Int64) -> Range<Int64> {
        guard let part else { return 0..<length }
        let first = min(max(part.lowerBound, 0), length)
        // The position after the last one would overflow for the largest number.
        let last = min(part.upperBound, length - 1)
        return last < first ? first..<first : first..<last + 1
    }
}
