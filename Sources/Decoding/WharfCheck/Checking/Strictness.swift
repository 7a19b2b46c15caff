import WharfJSON

/// Finds faults that decoders accept: syntax errors and duplicate keys.
///
/// RFC 8259 §4 does not define the meaning of duplicate keys.
enum Strictness {
    static func findings(in bytes: JSONBytes) -> [Finding] {
        let commas = TrailingCommas(in: bytes)
        let options = JSONReadingOptions(maximumDepth: .max, duplicateKeys: .reject, maximumIssues: .max)
        var reader = JSONReader(commas.blanked, options: options)
        reader.skipValue()
        var found: [Finding] = []
        do throws(JSONError) { try reader.finish() } catch { found = error.issues.map { Finding($0) } }
        if !commas.offsets.isEmpty, let document = try? JSONNodeDecoder(commas.blanked, CodableJSONDecoder()) {
            found += commas.findings(in: document)
        }
        return commas.restored(in: found)
    }
}

/// Commas before the end of an array or object.
///
/// They are not JSON (RFC 8259 §4 and §5), but Foundation's decoder accepts them.
struct TrailingCommas {
    private(set) var offsets: [Int] = []
    /// The document with a blank in place of each trailing comma, so that all offsets stay valid.
    private(set) var blanked: JSONBytes

    init(in bytes: JSONBytes) {
        var text = bytes.array
        var comma: Int?
        var index = 0
        // A comma after an opening bracket or another comma is not a trailing comma.
        var hasValue = false
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
            case UInt8(ascii: ","):
                // Only the last comma after a value can be a trailing one.
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
                    // An escape takes two bytes, so an escaped quote does not end the string.
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: (comma, hasValue) = (nil, true)
            }
            index += 1
        }
        for offset in offsets { text[offset] = UInt8(ascii: " ") }
        blanked = offsets.isEmpty ? bytes : JSONBytes(text)
    }

    /// Returns the text without trailing commas, if they are the reason that it can't be parsed.
    static func blanked(_ bytes: JSONBytes, _ decoder: CodableJSONDecoder) -> JSONBytes {
        (try? JSONNodeDecoder(bytes, decoder)) == nil ? TrailingCommas(in: bytes).blanked : bytes
    }

    /// - Parameter document: the document without the commas.
    func findings(in document: JSONNodeDecoder) -> [Finding] {
        offsets.map { offset in
            let issue = document.issue(at: offset)
            return Finding(.trailingComma, at: issue, "expected a value after the comma, found none")
        }
    }
}

extension TrailingCommas {
    /// Returns the findings with excerpts that show the commas again.
    func restored(in findings: [Finding]) -> [Finding] {
        guard !offsets.isEmpty else { return findings }
        let offsets = Set(offsets)
        return blanked.withUnsafeBytes { bytes in findings.map { restored(offsets, in: $0, of: bytes) } }
    }

    private func restored(_ offsets: Set<Int>, in finding: Finding, of bytes: UnsafeRawBufferPointer) -> Finding {
        func isContinuation(_ index: Int) -> Bool { bytes.indices ~= index && bytes[index] & 0xC0 == 0x80 }
        var offset = finding.location.offset
        // The excerpt begins this many scalars before the place. Going back finds its first byte.
        for _ in 0..<finding.excerpt.caret {
            repeat { offset -= 1 } while isContinuation(offset)
        }
        var scalars = String.UnicodeScalarView()
        for scalar in finding.excerpt.text.unicodeScalars {
            scalars.append(scalar == " " && offsets.contains(offset) ? "," : scalar)
            repeat { offset += 1 } while isContinuation(offset)
        }
        return Finding(
            kind: finding.kind, path: finding.path, location: finding.location, message: finding.message,
            excerpt: SourceExcerpt(String(scalars), caret: finding.excerpt.caret), hides: finding.hides)
    }
}
