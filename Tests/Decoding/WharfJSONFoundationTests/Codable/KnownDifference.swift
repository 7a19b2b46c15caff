import Foundation
import WharfJSON
import WharfJSONFoundation

/// The results of both libraries for a document.
struct DecodingPair {
    let document: [UInt8]
    /// The cause of Wharf's error.
    let cause: JSONError?
    let ours: (name: String, path: [String])?
    let theirs: (name: String, path: [String])?
    /// Foundation's result for another document, and whether it equals Wharf's for this one.
    let foundation: ([UInt8]) -> (isOurs: Bool, failure: (name: String, path: [String])?)

    /// Decided by the tests' own grammar, which is independent of both libraries.
    var isJSON: Bool { Grammar.accepts(document) }
    var isOurSyntaxError: Bool { cause?.code == .syntax || cause?.code == .invalidUTF8 }
    var isTheirSyntaxError: Bool { theirs.map { $0.name == "dataCorrupted" && $0.path.isEmpty } ?? false }
}

/// An error of Foundation, or an intended difference. A test checks that each example still
/// differs.
///
/// None relies on Wharf's own result. ``Grammar``, ``ExactNumber`` and Foundation decide whether a
/// document is JSON, whether a number fits its type, and which value another spelling has. So a
/// defect of Wharf can't count as a known difference.
struct KnownDifference<Seen>: Sendable {
    let name: String
    let matches: @Sendable (Seen) -> Bool
    /// True while both libraries still differ.
    let example: @Sendable () -> Bool

    init(_ name: String, matches: @escaping @Sendable (Seen) -> Bool, example: @escaping @Sendable () -> Bool) {
        self.name = name
        self.matches = matches
        self.example = example
    }
}

private func differs<Value: Decodable & Equatable>(
    _ type: Value.Type, _ text: String, _ strategy: Strategies = .defaults
) -> Bool {
    differs(type, Array(text.utf8), strategy)
}

private func differs<Value: Decodable & Equatable>(
    _ type: Value.Type, _ bytes: [UInt8], _ strategy: Strategies = .defaults
) -> Bool {
    Outcome { try strategy.makeFoundationDecoder().decode(type, from: Data(bytes)) }
        != Outcome { try strategy.makeDecoder().decode(type, from: bytes) }
}

extension KnownDifference where Seen == DecodingPair {
    static let ofDecoding: [KnownDifference] = [
        KnownDifference("a comma behind the last element is accepted by Foundation") { pair in
            guard pair.isOurSyntaxError, !pair.isJSON, let offset = pair.cause?.location.offset,
                offset < pair.document.count
            else {
                return false
            }
            return [0x5D, 0x7D].contains(pair.document[offset])
                && pair.document[..<offset].last { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } == 0x2C
        } example: {
            differs([Int].self, "[1,]")
        },
        KnownDifference("faults inside of numbers and strings are seen by Foundation only when it reads that value") {
            pair in
            guard pair.isOurSyntaxError, !pair.isJSON, let expected = pair.cause?.issues.first?.expected else {
                return false
            }
            return ["digit", "leading zeros", "escape", "surrogate", "hexadecimal", "UTF-8", "control"].contains {
                expected.contains($0)
            }
                || pair.numberGoesOn
        } example: {
            differs([Bool].self, "[01]")
        },
        KnownDifference(
            "a number that the type can't hold is `dataCorrupted` with its path; for Foundation the document is no JSON"
        ) { pair in
            pair.isTheirSyntaxError && pair.isRightlyOutOfRange
        } example: {
            differs([Int].self, "[1.5]") && differs([Int8].self, "[300]")
        },
        KnownDifference("zero with an exponent is no number for Foundation") { pair in
            pair.isTheirSyntaxError && pair.isReadAs { $0.isZero && $0.hasExponent ? $0.plainText : nil }
        } example: {
            differs([Double].self, "[0e1]")
        },
        KnownDifference("Foundation's path to a date that is not ISO 8601 lacks the last key") { pair in
            guard let ours = pair.ours, let theirs = pair.theirs else { return false }
            return ours.name == "dataCorrupted" && theirs.name == "dataCorrupted"
                && theirs.path == ours.path.dropLast() && pair.cause?.issues.first?.expected == "an ISO 8601 date"
        } example: {
            differs([Date].self, #"["yesterday"]"#, .iso8601)
        },
        KnownDifference("a fraction that a Double has no room for is dropped by Foundation, and an integer made of it")
        { pair in
            pair.isRightlyOutOfRange && pair.isAboutAFraction
        } example: {
            differs([Int].self, "[1.0000000000000001]")
        },
        KnownDifference(
            "the largest and least integers written with a fraction or exponent are out of range for Foundation"
        ) { pair in
            pair.isTheirSyntaxError && pair.isReadAs { $0.isPlain ? nil : $0.plainText }
        } example: {
            differs([Int].self, "[-9223372036854775808.0]")
        },
        KnownDifference("UTF-16 and UTF-32, which RFC 8259 §8.1 does not allow between systems, are read by Foundation")
        { pair in
            pair.isOurSyntaxError && !pair.isJSON
                && (pair.document.prefix(4).contains(0) || [0xFE, 0xFF].contains(pair.document.first))
        } example: {
            differs([Int].self, [0x5B, 0, 0x31, 0, 0x5D, 0])
        },
    ]
}

extension DecodingPair {
    /// The number that Wharf's error is about, and the type that can't hold it.
    fileprivate var faultyNumber: (range: Range<Int>, number: ExactNumber, type: String)? {
        guard let cause, cause.code == .outOfRange,
            let found = Token.numbers(in: document).first(where: { $0.range.lowerBound == cause.location.offset }),
            let type = cause.issues[0].expected.split(whereSeparator: { " ()".contains($0) }).last
        else { return nil }
        return (found.range, found.number, String(type))
    }

    /// Whether Wharf's error correctly rejects a number that is out of range. Its path must equal
    /// Foundation's path for a value of another kind at the same location.
    fileprivate var isRightlyOutOfRange: Bool {
        guard isJSON, let ours, ours.name == "dataCorrupted", let fault = faultyNumber,
            fault.number.fits(fault.type) == false
        else { return false }
        var other = document
        other.replaceSubrange(fault.range, with: Array("{}".utf8))
        return foundation(other).failure?.path == ours.path
    }

    /// Whether Wharf's error is about a fraction for an integer type.
    fileprivate var isAboutAFraction: Bool {
        faultyNumber.map { ExactNumber.isInteger($0.type) && !$0.number.isWhole } == true
    }

    /// Whether Wharf's result equals Foundation's for the document with some numbers written
    /// differently.
    fileprivate func isReadAs(_ text: (ExactNumber) -> String?) -> Bool {
        isJSON && Token.respelled(document, text).map { foundation($0).isOurs } == true
    }

    /// Whether Wharf's error is at a character that Foundation reads as a part of the number before
    /// it.
    fileprivate var numberGoesOn: Bool {
        guard let offset = cause?.location.offset, offset > 0, offset < document.count else { return false }
        let digits = Set("0123456789".utf8)
        return Set("+-.eE".utf8).contains(document[offset]) && digits.union("+-.eE".utf8).contains(document[offset - 1])
            || digits.contains(document[offset]) && document[offset - 1] == 0x30
    }
}

/// The results of both libraries for a value.
struct EncodingPair {
    let ours: Outcome<[UInt8]>
    let theirs: Outcome<[UInt8]>

    var ourText: String? { Self.text(ours) }
    var theirText: String? { Self.text(theirs) }

    private static func text(_ outcome: Outcome<[UInt8]>) -> String? {
        if case .value(let bytes) = outcome { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
}

extension KnownDifference where Seen == EncodingPair {
    static let ofEncoding: [KnownDifference] = [
        KnownDifference(
            "what Foundation encodes in a nested container, or in dictionaries, has a coding path without the key of that"
        ) { pair in
            guard let ours = pair.ourText, let theirs = pair.theirText else { return false }
            return ours.replacing(/x\d+\./, with: "x.") == theirs.replacing(/x\d+\./, with: "x.")
        } example: {
            let value = Figure.circle(Point(x: 1, y: 2), radius: 3)
            let strategy = Strategies.customKeys
            return Outcome { [UInt8](try strategy.makeFoundationEncoder([.sortedKeys]).encode(value)) }
                != Outcome { try strategy.makeEncoder([.sortedKeys]).encode(value) as [UInt8] }
        },
        KnownDifference("Foundation encodes one level of arrays and objects less than it decodes") { pair in
            pair.ours.failure == nil && pair.theirs.failure?.name == "invalidValue"
        } example: {
            let deep = Nest(depth: 512)
            return Outcome { [UInt8](try JSONEncoder().encode(deep)) }
                != Outcome { try CodableJSONEncoder().encode(deep) }
        },
    ]
}

/// Nested arrays.
struct Nest: Codable, Equatable {
    let depth: Int

    init(depth: Int) {
        self.depth = depth
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        depth = container.isAtEnd ? 1 : 1 + (try container.decode(Nest.self)).depth
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if depth > 1 { try container.encode(Nest(depth: depth - 1)) }
    }
}
