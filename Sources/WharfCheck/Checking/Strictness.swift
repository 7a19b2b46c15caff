import WharfJSON

/// What decoders let pass, and is wrong all the same: what is no JSON, and keys that an object has twice, of which RFC 8259 §4 leaves open
/// what they mean.
enum Strictness {
    static func findings(in bytes: JSONBytes) -> [Finding] {
        let commas = TrailingCommas(in: bytes)
        let options = JSONReadingOptions(maximumDepth: .max, duplicateKeys: .reject, maximumIssues: .max)
        var reader = JSONReader(commas.blanked, options: options)
        reader.skipValue()
        var found: [Finding] = []
        do throws(JSONError) { try reader.finish() } catch { found = error.issues.map { Finding($0) } }
        guard !commas.offsets.isEmpty, let document = try? JSONNodeDecoder(commas.blanked, CodableJSONDecoder()) else {
            return found
        }
        return found + commas.findings(in: document)
    }
}

/// Commas before the end of an array or object: no JSON (RFC 8259 §4 and §5), and yet read by Foundation's decoder.
struct TrailingCommas {
    private(set) var offsets: [Int] = []
    /// The document with a blank in the place of each, so that all else stays where it was.
    private(set) var blanked: JSONBytes

    init(in bytes: JSONBytes) {
        var text = bytes.array
        var comma: Int?
        var index = 0
        // A comma behind a bracket or another comma is no trailing one.
        var hasValue = false
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
            case UInt8(ascii: ","):
                comma = hasValue ? index : nil
                hasValue = false
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma { offsets.append(comma) }
                (comma, hasValue) = (nil, true)
            case UInt8(ascii: "["), UInt8(ascii: "{"): (comma, hasValue) = (nil, false)
            case UInt8(ascii: "\""):
                (comma, hasValue) = (nil, true)
                index += 1
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: (comma, hasValue) = (nil, true)
            }
            index += 1
        }
        for offset in offsets { text[offset] = UInt8(ascii: " ") }
        blanked = offsets.isEmpty ? bytes : JSONBytes(text)
    }

    /// The text without them, where that is what keeps it from being read.
    static func blanked(_ bytes: JSONBytes, _ decoder: CodableJSONDecoder) -> JSONBytes {
        (try? JSONNodeDecoder(bytes, decoder)) == nil ? TrailingCommas(in: bytes).blanked : bytes
    }

    /// - Parameter document: the one without them.
    func findings(in document: JSONNodeDecoder) -> [Finding] {
        offsets.map { offset in
            let issue = document.issue(at: offset)
            return Finding(.trailingComma, at: issue, "expected a value behind the comma, found none")
        }
    }
}
