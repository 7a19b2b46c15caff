internal import WharfJSON

/// The differences of a body from an expected one: JSON by members, text by lines.
enum BodyDiff {
    typealias Line = RequestDiff.Line

    static func lines(_ expected: ExpectedBody, _ found: [UInt8]) -> [Line] {
        switch expected {
        case .any: []
        case .invalid(let reason): [line(.expected, reason)]
        case .json(let value): json(value, found)
        case .bytes(let bytes): bytes == found ? same(bytes) : differing(bytes, found)
        }
    }

    private static func same(_ bytes: [UInt8]) -> [Line] { [line(.same, "(\(bytes.count) bytes, as expected)")] }

    private static func line(_ mark: Line.Mark, _ text: String) -> Line { Line(mark: mark, part: "body", text: text) }

    private static func json(_ expected: JSONValue, _ found: [UInt8]) -> [Line] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSON.decode(from: found)
        } catch {
            let text = found.isEmpty ? "(none)" : "invalid JSON: \(error.message)"
            return [line(.expected, "JSON: \(expected)"), line(.found, text)]
        }
        var lines: [Line] = []
        compare(expected, value, JSONPath(), into: &lines)
        return lines.isEmpty ? [line(.same, "(the expected JSON)")] : lines
    }

    private static func compare(
        _ expected: JSONValue?, _ found: JSONValue?, _ path: JSONPath, into lines: inout [Line]
    ) {
        switch (expected?.content, found?.content) {
        case (.object(let left), .object(let right)):
            // The expected keys in their order, then those that only the found object has.
            let keys = left.map(\.key) + right.map(\.key).filter { expected?[$0] == nil }
            for key in keys { compare(expected?[key], found?[key], path.appending(.key(key)), into: &lines) }
        case (.array(let left), .array(let right)):
            for index in 0..<max(left.count, right.count) {
                compare(expected?[index], found?[index], path.appending(.index(index)), into: &lines)
            }
        case (.number(let left), .number(let right)) where left.isSame(as: right): break
        case (let left, let right) where left == right: break
        default:
            let place = path.isEmpty ? "" : "\(path): "
            if let expected { lines.append(line(.expected, "\(place)\(expected)")) }
            if let found { lines.append(line(.found, "\(place)\(found)")) }
        }
    }

    private static func differing(_ expected: [UInt8], _ found: [UInt8]) -> [Line] {
        guard let left = String(validating: expected, as: UTF8.self),
            let right = String(validating: found, as: UTF8.self)
        else {
            let at = zip(expected, found).prefix { $0 == $1 }.count
            return [
                line(.expected, "\(expected.count) bytes"),
                line(.found, "\(found.count) bytes, alike up to offset \(at)"),
            ]
        }
        let (old, new) = (split(left), split(right))
        let difference = new.difference(from: old)
        var lines: [Line] = []
        for case .remove(let offset, let text, _) in difference.removals {
            lines.append(line(.expected, "line \(offset + 1): \(text)"))
        }
        for case .insert(let offset, let text, _) in difference.insertions {
            lines.append(line(.found, "line \(offset + 1): \(text)"))
        }
        return lines
    }

    private static func split(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}

extension JSONPath {
    fileprivate func appending(_ step: Step) -> JSONPath { JSONPath(steps + [step]) }
}

extension JSONNumber {
    /// Compares values: whole numbers exactly, others as `Double`.
    fileprivate func isSame(as other: JSONNumber) -> Bool {
        if text == other.text { return true }
        // As `Double`, different whole numbers beyond 2^53 would be equal.
        if let left = integer(Int64.self), let right = other.integer(Int64.self) { return left == right }
        return integer(Int64.self) == nil && other.integer(Int64.self) == nil && double == other.double
    }
}
