import Testing
import WharfJSON

/// Many errors that a type catches, and many decoders that it keeps, in one document.
@Suite struct ManyErrorsTests {
    private static let count = 5000

    @Test func errorsBelowOneKeyShareItsText() throws {
        // A copy of 200 KB per error would take a gigabyte.
        let key = String(repeating: "kä", count: 67_000)
        let elements = Array(repeating: "\"x\"", count: Self.count).joined(separator: ",")
        let decoded = try CodableJSONDecoder().decode(
            [String: [Lenient]].self, from: Array("{\"\(key)\": [\(elements)]}".utf8))
        let errors = try #require(decoded[key]).compactMap(\.error)
        #expect(errors.map { $0.path.steps.last } == (0..<Self.count).map { .index($0) })
        #expect(errors.map(\.location.column) == (0..<Self.count).map { key.unicodeScalars.count + 7 + 4 * $0 })
        #expect(places(errors) == 1)
    }

    @Test func errorsOfOneContainerShareTheTextOfItsKey() throws {
        let key = String(repeating: "k", count: 200_000)
        let decoded = try CodableJSONDecoder().decode(
            [String: Stubborn].self, from: Array("{\"\(key)\": [[\"x\"]]}".utf8))
        let errors = try #require(decoded[key]?.errors)
        #expect(errors.count == Self.count)
        #expect(errors.allSatisfy { $0.path.steps.dropFirst() == [.index(0), .index(0)] })
        #expect(places(errors) == 1)
    }

    @Test func errorsOfKeptDecodersShareTheTextOfTheirKey() throws {
        let key = String(repeating: "k", count: 200_000)
        let elements = Array(repeating: "\"x\"", count: 500).joined(separator: ",")
        let document = Array("{\"\(key)\": [\(elements)]}".utf8)
        let kept = try #require(CodableJSONDecoder().decode([String: [Kept]].self, from: document)[key])
        let errors = kept.compactMap { kept in Lenient(kept.decoder).error }
        #expect(errors.map { $0.path.steps.last } == (0..<500).map { .index($0) })
        #expect(places(errors) == 1)
        var paths: Set<UnsafeRawPointer> = []
        // All texts are kept alive together, so that no two of them share an address.
        let texts = kept.map { $0.decoder.codingPath[0].stringValue }
        for var text in texts {
            text.withUTF8 { if let start = $0.baseAddress { paths.insert(UnsafeRawPointer(start)) } }
        }
        #expect(paths.count == 1)
    }

    @Test func manyKeptDecodersEachKnowTheirPath() throws {
        let elements = (0..<Self.count).map { #"{"é\#($0)": [\#($0), {"b": [null]}]}"# }.joined(separator: ",")
        let document = Array(#"{"head": {}, "list": [\#(elements)], "tail": {}}"#.utf8)
        let kept = try CodableJSONDecoder().decode(Lists.self, from: document).list
        #expect(kept.count == Self.count)
        for (index, element) in kept.enumerated() {
            // One `#expect` per element would take longer than the decoding.
            let path = ["list", "Index \(index)"]
            let inner = try #require(element["é\(index)"])
            if inner.map({ $0.path }) != [path + ["é\(index)", "Index 0"], path + ["é\(index)", "Index 1"]] {
                Issue.record("\(inner.map { $0.path })")
            }
            let nested = try inner[1].decoder.container(keyedBy: TextKey.self)
                .nestedUnkeyedContainer(forKey: TextKey("b")).codingPath
            if nested.map(\.stringValue) != path + ["é\(index)", "Index 1", "b"] || nested[1].intValue != index {
                Issue.record("\(nested)")
            }
            if try inner[0].decoder.singleValueContainer().decode(Int.self) != index { Issue.record("\(index)") }
        }
    }

    /// The number of distinct addresses of the errors' first keys. `errors` keeps the strings alive
    /// and they are native, so they do not move.
    private func places(_ errors: [JSONError]) -> Int {
        var places: Set<UnsafeRawPointer> = []
        for error in errors {
            guard case .key(var text)? = error.path.steps.first else { continue }
            text.withUTF8 { if let start = $0.baseAddress { places.insert(UnsafeRawPointer(start)) } }
        }
        return places.count
    }

    /// Catches its error and is decoded all the same.
    private struct Lenient: Decodable {
        let error: JSONError?

        init(from decoder: any Decoder) throws { self.init(decoder) }

        init(_ decoder: any Decoder) {
            do {
                _ = try decoder.singleValueContainer().decode(Int.self)
                error = nil
            } catch {
                self.error = (error as? DecodingError).flatMap(CodableErrorTests.cause)
            }
        }
    }

    /// Tries to decode the same element repeatedly, as a failed element stays the next one.
    private struct Stubborn: Decodable {
        let errors: [JSONError]

        init(from decoder: any Decoder) throws {
            var outer = try decoder.unkeyedContainer()
            var container = try outer.nestedUnkeyedContainer()
            var errors: [JSONError] = []
            for _ in 0..<ManyErrorsTests.count {
                do {
                    _ = try container.decode(Int.self)
                } catch let error as DecodingError {
                    if let cause = CodableErrorTests.cause(of: error) { errors.append(cause) }
                }
            }
            self.errors = errors
        }
    }

    private struct Kept: Decodable {
        let decoder: any Decoder
        var path: [String] { decoder.codingPath.map(\.stringValue) }

        init(from decoder: any Decoder) throws { self.decoder = decoder }
    }

    private struct Lists: Decodable { let list: [[String: [Kept]]] }
}
