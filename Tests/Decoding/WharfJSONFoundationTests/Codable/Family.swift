import Foundation
import WharfJSON
import WharfJSONFoundation
import WharfRandom

/// A family of types whose values are coded by both libraries, with each strategy.
struct Family: Sendable, CustomStringConvertible {
    let name: String
    let run: @Sendable (Comparison) -> Comparison

    var description: String { name }

    init<Value: Codable & Equatable & SendableMetatype>(
        _ name: String, _ strategies: [Strategies] = Strategies.keys, values: Int = 12,
        as type: Value.Type = Value.self, _ make: @escaping @Sendable (inout SeededGenerator) -> Value
    ) {
        self.name = name
        run = { comparison in
            var comparison = comparison
            var random = SeededGenerator(seed: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
            for strategy in strategies {
                for _ in 0..<values { comparison.compare(make(&random), type, strategy, &random) }
            }
            return comparison
        }
    }
}

/// Counts comparisons, and collects differences that are not known ones.
struct Comparison: Sendable {
    private(set) var encodings = 0
    private(set) var decodings = 0
    private(set) var explained: [String: Int] = [:]
    private(set) var unexplained: [String] = []

    /// - Parameter type: the static type. The value may be of a subclass.
    mutating func compare<Value: Codable & Equatable>(
        _ value: Value, _ type: Value.Type, _ strategy: Strategies, _ random: inout SeededGenerator
    ) {
        var document: [UInt8]?
        for formatting in Self.formattings {
            let theirs = Outcome { [UInt8](try strategy.makeFoundationEncoder(formatting).encode(value)) }
            let ours = Outcome { try strategy.makeEncoder(formatting).encode(value) as [UInt8] }
            encodings += 1
            if case .value(let bytes) = theirs { document = document ?? bytes }
            guard ours != theirs else { continue }
            if let known = KnownDifference.ofEncoding.first(where: {
                $0.matches(EncodingPair(ours: ours, theirs: theirs))
            }) {
                explained[known.name, default: 0] += 1
            } else {
                fail(strategy, "encoding \(value)", ours.text, theirs.text)
            }
        }
        guard let document else { return }
        compareDecoding(type, document, strategy)
        for mutation in Mutation.allCases {
            for _ in 0..<3 { compareDecoding(type, mutation.apply(to: document, &random), strategy) }
        }
    }

    private static let formattings: [CodableJSONEncoder.OutputFormatting] = [
        [.sortedKeys], [.sortedKeys, .prettyPrinted], [.sortedKeys, .withoutEscapingSlashes],
    ]

    mutating func compareDecoding<Value: Decodable & Equatable>(
        _ type: Value.Type, _ document: [UInt8], _ strategy: Strategies
    ) {
        let theirs = Outcome { try strategy.makeFoundationDecoder().decode(type, from: Data(document)) }
        let ours = Outcome { try strategy.makeDecoder().decode(type, from: document) }
        decodings += 1
        guard ours != theirs else { return }
        let cause = cause { try strategy.makeDecoder().decode(type, from: document) }
        let pair = DecodingPair(document: document, cause: cause, ours: ours.failure, theirs: theirs.failure) { other in
            let outcome = Outcome { try strategy.makeFoundationDecoder().decode(type, from: Data(other)) }
            return (outcome == ours, outcome.failure)
        }
        if let known = KnownDifference.ofDecoding.first(where: { $0.matches(pair) }) {
            explained[known.name, default: 0] += 1
        } else {
            fail(strategy, "decoding \(type) from \(String(decoding: document, as: UTF8.self))", "\(ours)", "\(theirs)")
        }
    }

    private mutating func fail(_ strategy: Strategies, _ what: String, _ ours: String, _ theirs: String) {
        if unexplained.count < 8 {
            unexplained.append("\(strategy.name): \(what)\n  ours:   \(ours)\n  theirs: \(theirs)")
        }
    }
}

extension Outcome where Value == [UInt8] {
    fileprivate var text: String {
        if case .value(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { description }
    }
}
