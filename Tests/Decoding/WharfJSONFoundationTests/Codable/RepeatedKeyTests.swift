import Foundation
import Testing
import WharfJSON

/// Keys that are encoded twice, compared with Foundation's encoder.
@Suite struct RepeatedKeyTests {
    private static let counts = [0, 1, 2, 62, 63, 64, 65, 128, 200]

    @Test(arguments: counts) func keysAfterADictionaryAgreeWithFoundation(count: Int) throws {
        for again in [[], ["key0"], ["new"], ["key0", "new", "key\(count / 2)", "new", "key\(count - 1)", "last"]] {
            try compare(Merged(count: count, again: again))
        }
    }

    @Test(arguments: counts) func keysRepeatedInOneContainerAgreeWithFoundation(count: Int) throws {
        for way in Repeating.Way.allCases {
            for step in [1, 7, 63] { try compare(Repeating(count: count, step: step, way: way)) }
        }
    }

    @Test(arguments: counts) func keysRepeatedInTwoContainersAgreeWithFoundation(count: Int) throws {
        try compare(Twice(count: count))
    }

    private func compare(_ value: some Encodable) throws {
        let theirs = JSONEncoder()
        theirs.outputFormatting = .sortedKeys
        var ours = CodableJSONEncoder()
        ours.outputFormatting = .sortedKeys
        let expected = String(decoding: try theirs.encode(value) as Data, as: UTF8.self)
        #expect(String(decoding: try ours.encode(value) as [UInt8], as: UTF8.self) == expected)
    }

    /// Encodes a dictionary, and then a container of the same object.
    private struct Merged: Encodable {
        let count: Int, again: [String]

        func encode(to encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            let pairs = (0..<count).map { ("key\($0)", $0) }
            try single.encode(Dictionary(uniqueKeysWithValues: pairs))
            var container = encoder.container(keyedBy: TextKey.self)
            for (index, key) in again.enumerated() { try container.encode(1000 + index, forKey: TextKey(key)) }
        }
    }

    /// Encodes each key, and then some of them again.
    private struct Repeating: Encodable {
        enum Way: CaseIterable { case scalar, value, nested }
        let count: Int, step: Int, way: Way

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: TextKey.self)
            for index in 0..<count { try encode(index, "key/\(index)é", &container) }
            for index in stride(from: 0, to: count, by: step) { try encode(-index, "key/\(index)é", &container) }
            try encode(1, "new", &container)
            try encode(2, "new", &container)
        }

        private func encode(_ value: Int, _ key: String, _ container: inout KeyedEncodingContainer<TextKey>) throws {
            switch way {
            case .scalar: try container.encode(value, forKey: TextKey(key))
            case .value: try container.encode([value], forKey: TextKey(key))
            case .nested:
                var nested = container.nestedContainer(keyedBy: TextKey.self, forKey: TextKey(key))
                try nested.encode(value, forKey: TextKey("\(value)"))
            }
        }
    }

    private struct Twice: Encodable {
        let count: Int

        func encode(to encoder: any Encoder) throws {
            var first = encoder.container(keyedBy: TextKey.self)
            var second = encoder.container(keyedBy: TextKey.self)
            for index in 0..<count {
                try first.encode(index, forKey: TextKey("key\(index)"))
                try second.encode("second", forKey: TextKey("key\(count - index)"))
            }
        }
    }
}
