/// A text cut where people see one character end and another begin.
struct TextPieces {
    private let text: String
    private let limit: TextLimit
    /// Where characters begin, and the end.
    private let bounds: [String.Index]

    /// Linear in the length of the text.
    init(_ text: String, limit: TextLimit) {
        self.text = text
        self.limit = limit
        bounds = Array(text.indices) + [text.endIndex]
    }

    /// Its beginning, with "..." where there is room for that; nil where not one character fits.
    func truncated() -> String? {
        for ellipsis in ["...", ""] {
            let end = end(from: 0) { $0 + ellipsis }
            if end > 0 { return text[..<bounds[end]] + ellipsis }
        }
        return nil
    }

    /// All of it, each piece behind its number; nil where it takes more than so many, or a
    /// character alone is too long.
    func numbered(atMost most: Int) -> [String]? {
        var digits = 1
        while true {
            // As wide as any number of so many digits.
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
            guard end > start, ends.count < most else { return nil }
            start = end < bounds.count - 1 ? afterWord(from: start, to: end) : end
            ends.append(start)
        }
        return ends
    }

    /// Behind the last space in the second half.
    private func afterWord(from start: Int, to end: Int) -> Int {
        let middle = start + (end - start) / 2
        return stride(from: end, to: middle, by: -1).first { text[bounds[$0 - 1]].isWhitespace } ?? end
    }

    /// Where the longest piece ends that fits. Looks at a few times the piece, however long the
    /// text is.
    private func end(from start: Int, written: (String) -> String) -> Int {
        func fits(_ end: Int) -> Bool { limit.fits(written(String(text[bounds[start]..<bounds[end]]))) }
        var (fitting, step) = (start, 1)
        while fitting + step < bounds.count, fits(fitting + step) {
            fitting += step
            step *= 2
        }
        var beyond = min(fitting + step, bounds.count)
        while beyond - fitting > 1 {
            let middle = (fitting + beyond) / 2
            if fits(middle) { fitting = middle } else { beyond = middle }
        }
        return fitting
    }
}
