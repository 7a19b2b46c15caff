extension CommitMessage {
    /// The author's last lines, if they are trailers by git's rules.
    ///
    /// The rules are those of `find_trailer_start` in trailer.c. The trailers are a paragraph after
    /// the first one. All of its lines are trailers, or a quarter of them with at least one written
    /// by git. Bodies may contain lines `---`.
    var trailers: ArraySlice<Range<Int>> {
        let lines = self.lines[..<authored]
        // git removes blank lines and comments above the subject before it looks for trailers.
        let start = isForm || isEmpty ? 0 : lines.firstIndex(where: saysSomething) ?? authored
        let title = lines[start...].firstIndex { !isComment($0) && isBlank($0) } ?? authored
        var count = 0
        var others = 0
        // Continuations belong to the trailer above, if there is one.
        var continuations = 0
        var hasGits = false
        var sawText = false
        for (index, line) in lines.enumerated().reversed() {
            guard index >= title else { break }
            if isComment(line) {
                others += continuations
                continuations = 0
            } else if isBlank(line) {
                guard sawText else { continue }
                others += continuations
                let areTrailers = hasGits ? count * 3 >= others : count > 0 && others == 0
                return areTrailers ? lines[(index + 1)...] : []
            } else {
                sawText = true
                let text = bytes[line]
                let isGits = ["Signed-off-by: ", "(cherry picked from commit "].contains { text.starts(with: $0.utf8) }
                if isGits || (!bytes[line.lowerBound].isSpace && key(of: text) != nil) {
                    hasGits = hasGits || isGits
                    count += 1
                    continuations = 0
                } else if bytes[line.lowerBound].isSpace {
                    continuations += 1
                } else {
                    others += 1 + continuations
                    continuations = 0
                }
            }
        }
        return []
    }

    /// Returns the text before the colon, if it can be a key.
    private func key(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = text.firstIndex(of: .colon), colon > text.startIndex else { return nil }
        let before = text[..<colon]
        let key = before.prefix { $0.isLetterOrDigit || $0 == .hyphen }
        guard !key.isEmpty, before[key.endIndex...].allSatisfy({ $0 == .space || $0 == UInt8(ascii: "\t") }) else {
            return nil
        }
        return key
    }

    struct Trailer {
        /// The range of all its lines.
        let place: Range<Int>
        let value: ArraySlice<UInt8>
    }

    /// Returns the trailers with a key, compared without case.
    ///
    /// A trailer includes its continuation lines.
    func trailers(withKey key: String) -> [Trailer] {
        let trailers = self.trailers.filter { !isComment($0) }
        return trailers.indices.compactMap { index in
            let text = bytes[trailers[index]]
            guard let found = self.key(of: text), found.lowercased == key.utf8.lowercased else { return nil }
            let rest = trailers[(index + 1)...].prefix { bytes[$0.lowerBound].isSpace }
            let end = rest.last?.upperBound ?? text.endIndex
            return Trailer(
                place: text.startIndex..<end,
                value: bytes[found.endIndex..<end].drop { $0 != .colon }.dropFirst().drop(while: \.isSpace)
                    .withoutTrailingSpace)
        }
    }

    func appending(trailer: [UInt8]) -> [UInt8] {
        let head = bytes[..<end]
        // The subject and the line below it stay free, as with `git commit --signoff`.
        if head.isEmpty { return [.lineEnd, .lineEnd] + trailer + [.lineEnd] + bytes }
        var result = Array(head)
        if head.last != .lineEnd { result.append(.lineEnd) }
        if trailers.isEmpty { result.append(.lineEnd) }
        return result + trailer + [.lineEnd] + bytes[end...]
    }
}

extension Sequence<UInt8> {
    fileprivate var lowercased: [UInt8] {
        map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
