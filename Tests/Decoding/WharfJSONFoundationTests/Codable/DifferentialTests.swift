import Foundation
import Testing
import WharfJSON

/// Compares Wharf's coders with Foundation's: equal values and bytes, or the same error case with
/// the same coding path.
@Suite struct DifferentialTests {
    @Test(arguments: Family.all) func codingAgreesWithFoundationExceptKnownDifferences(family: Family) {
        let result = family.run(Comparison())
        let known = result.explained.values.reduce(0, +)
        print(
            "differential: \(family.name): \(result.encodings) encodings, \(result.decodings) decodings, \(known) known differences"
        )
        #expect(result.encodings > 0)
        #expect(result.unexplained.isEmpty, "\(result.unexplained.joined(separator: "\n"))")
    }

    @Test func knownDifferencesStillDiffer() {
        for known in KnownDifference<DecodingPair>.ofDecoding { #expect(known.example(), "\(known.name)") }
        for known in KnownDifference<EncodingPair>.ofEncoding { #expect(known.example(), "\(known.name)") }
    }

    @Test(arguments: [1, 2, 511, 512, 513, 600]) func nestingDepthAgreesWithFoundation(depth: Int) {
        let text = Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8)
        let theirs = Outcome { try JSONDecoder().decode(Nest.self, from: Data(text)) }
        let ours = Outcome { try CodableJSONDecoder().decode(Nest.self, from: text) }
        #expect(ours == theirs)
    }
}
