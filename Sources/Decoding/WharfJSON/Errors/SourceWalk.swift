/// Finds lines, columns and paths of offsets in one walk over the document.
///
/// The walk ends at the last offset.
///
/// It trusts the bytes before an offset, as the reader has checked them. On other bytes the paths
/// mean nothing, but the walk ends and stays in bounds.
struct SourceWalk {
    struct Place {
        let location: SourceLocation
        let path: JSONPath
        let lineStart: Int
    }

    private struct Level {
        var isObject: Bool
        var index = 0
        /// The range of the last key with its quotes.
        var key: Range<Int>?
        /// The key's text, once it was needed. All paths through it share one string.
        var text: String?
    }

    // Between calls:
    // - All fields describe `bytes[..<position]`, and `levels` holds the arrays and objects open
    //   there.
    // - `column` counts the scalars from `lineStart` to `columnOffset`, which never moves back.
    // - `position` may stay behind `columnOffset`, at the quote of a string that a place lies in.
    private let bytes: UnsafeRawBufferPointer
    private var levels: [Level] = []
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var column = 1
    private var columnOffset = 0
    private var expectsKey = false

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// - Parameter offset: at least the offset of the call before.
    mutating func place(of offset: Int) -> Place {
        // Never behind the last place: the walk can't go back.
        let stop = max(columnOffset, min(offset, bytes.count))
        while position < stop, step(before: stop) {}
        // Only the scalars since the last place on this line are counted, so many places in a long
        // line cost one walk.
        column += scalars(from: columnOffset, to: stop)
        columnOffset = stop
        return Place(
            location: SourceLocation(offset: stop, line: line, column: column), path: path(),
            lineStart: lineStart
        )
    }

    /// Returns false if the string at `position` extends to `stop`.
    private mutating func step(before stop: Int) -> Bool {
        let byte = bytes[position]
        switch byte {
        case 0x22:
            let from = position
            guard let close = closingQuote(from + 1, before: stop) else { return false }
            position = close + 1
            // The first string after `{` or `,` of an object is a key; other strings are values.
            if expectsKey, !levels.isEmpty {
                levels[levels.count - 1].key = from..<position
                levels[levels.count - 1].text = nil
                expectsKey = false
            }
            return true
        case 0x7B:
            levels.append(Level(isObject: true))
            expectsKey = true
        case 0x5B: levels.append(Level(isObject: false))
        case 0x7D, 0x5D:
            _ = levels.popLast()
            expectsKey = false
        case 0x2C:
            guard let last = levels.indices.last else { break }
            levels[last].index += 1
            // Between a comma and the next key the path ends at the object itself.
            levels[last].key = nil
            expectsKey = levels[last].isObject
        case 0x0A:
            line += 1
            lineStart = position + 1
            column = 1
            columnOffset = lineStart
        default: break
        }
        position += 1
        return true
    }

    /// Returns the closing quote; nil if the string extends to `stop`, which is then a place inside
    /// it.
    private func closingQuote(_ from: Int, before stop: Int) -> Int? {
        var index = from
        while index < stop {
            switch bytes[index] {
            case 0x22: return index
            // An escaped character, which may be a quote.
            case 0x5C: index += 2
            default: index += 1
            }
        }
        return nil
    }

    private func scalars(from: Int, to: Int) -> Int {
        guard from < to else { return 0 }
        return bytes[from..<to].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }

    private mutating func path() -> JSONPath {
        JSONPath(levels.indices.compactMap { step(at: $0) })
    }

    private mutating func step(at index: Int) -> JSONPath.Step? {
        let level = levels[index]
        guard level.isObject else { return .index(level.index) }
        guard let key = level.key else { return nil }
        let text = level.text ?? Self.text(UnsafeRawBufferPointer(rebasing: bytes[key]))
        levels[index].text = text
        return .key(text)
    }

    /// Returns the text of a quoted string with its escapes resolved.
    static func text(_ quoted: UnsafeRawBufferPointer) -> String {
        var reader = JSONReader(JSONBytes(copying: quoted))
        return reader.string() ?? String(decoding: quoted, as: UTF8.self)
    }
}
