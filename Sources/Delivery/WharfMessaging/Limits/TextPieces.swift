/// A text that can be cut between grapheme clusters.
struct TextPieces {
    private let text: String
    private let limit: TextLimit
    /// The start of each grapheme cluster, and the end of the text.
    private let bounds: [String.Index]

    /// Finds the boundaries.
    ///
    /// - Complexity: O(n) in the length of the text.
    init(_ text: String, limit: TextLimit) {
        self.text = text
        self.limit = limit
        bounds = Array(text.indices) + [text.endIndex]
    }

    /// Returns the beginning, with "..." if there is room; nil if not one character fits.
    func truncated() -> String? {
        for ellipsis in ["...", ""] {
            let end = end(from: 0) { $0 + ellipsis }
            if end > 0 { return text[..<bounds[end]] + ellipsis }
        }
        return nil
    }

    /// Returns the whole text in pieces that begin with their numbers.
    ///
    /// It is nil if the text needs more than `most` pieces, or if a single character is too long.
    func numbered(atMost most: Int) -> [String]? {
        // The total is unknown before the text is cut, and its digits take room in each piece. Each
        // round reserves room for a total of so many digits.
        var digits = 1
        while true {
            // Nines stand for any total of this many digits.
            let all = String(repeating: "9", count: digits)
            guard let ends = ends(atMost: most, total: all) else { return nil }
            if String(ends.count).count <= digits {
                var start = 0
                return ends.enumerated().map { index, end in
                    defer { start = end }
                    return Self.mark(index + 1, "\(ends.count)") + text[bounds[start]..<bounds[end]]
                }
            }
            digits += 1
        }
    }

    private static func mark(_ number: Int, _ total: String) -> String { "(\(number)/\(total)) " }

    private func ends(atMost most: Int, total: String) -> [Int]? {
        var ends: [Int] = []
        var start = 0
        while start < bounds.count - 1 {
            let mark = Self.mark(ends.count + 1, total)
            let end = end(from: start) { mark + $0 }
            // `end == start` if one grapheme cluster does not fit beside the mark. The loop would
            // never end.
            guard end > start, ends.count < most else { return nil }
            start = end < bounds.count - 1 ? afterWord(from: start, to: end) : end
            ends.append(start)
        }
        return ends
    }

    /// Returns the boundary after the last space in the second half; `end` if there is none.
    private func afterWord(from start: Int, to end: Int) -> Int {
        let middle = start + (end - start) / 2
        return stride(from: end, to: middle, by: -1).first { text[bounds[$0 - 1]].isWhitespace } ?? end
    }

    /// Returns the end of the longest piece that fits, by a galloping search.
    ///
    /// The cost depends on the length of the piece and not on that of the text.
    private func end(from start: Int, written: (String) -> String) -> Int {
        func fits(_ end: Int) -> Bool { limit.fits(written(String(text[bounds[start]..<bounds[end]]))) }
        var (fitting, step) = (start, 1)
        // Doubling finds a bound near the end of the piece. A search over the rest of the text
        // would measure all of it for each piece.
        while fitting + step < bounds.count, fits(fitting + step) {
            fitting += step
            step *= 2
        }
        var beyond = min(fitting + step, bounds.count)
        // Invariant: the piece fits up to `fitting`, and does not up to `beyond`, or the text ends
        // before it.
        while beyond - fitting > 1 {
            let middle = (fitting + beyond) / 2
            if fits(middle) { fitting = middle } else { beyond = middle }
        }
        return fitting
    }
}
