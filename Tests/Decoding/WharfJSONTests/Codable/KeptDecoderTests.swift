import Testing
import WharfJSON

/// Decoders and containers that are used after decoding has left their location.
@Suite struct KeptDecoderTests {
    private let document = Array(#"{"list": [{"a": {"x": 1}, "b": [2, [3]]}, {"a": {"x": 4}, "b": [5, [6]]}]}"#.utf8)

    @Test func keptDecoderKnowsItsPathAfterTheCall() throws {
        let kept = try #require(CodableJSONDecoder().decode([String: [Kept]].self, from: document)["list"])
        for (index, element) in kept.enumerated() { try check(element, ["list", "Index \(index)"], 1 + 3 * index) }
        // Again and in another order, to show that the first pass changed nothing.
        for (index, element) in kept.enumerated().reversed() {
            try check(element, ["list", "Index \(index)"], 1 + 3 * index)
        }
    }

    @Test func keptDecoderKnowsItsPathWhileAnotherDecodes() throws {
        let shelf = Shelf()
        var decoder = CodableJSONDecoder()
        decoder.userInfo = [Shelf.key: shelf]
        _ = try decoder.decode([String: [Visitor]].self, from: document)
        // The second visitor used the decoder of the first, which has the same depth as its own.
        #expect(shelf.seen == [["list", "Index 0"], ["list", "Index 0", "a"], ["list", "Index 0", "a", "x"]])
    }

    @Test func keptDecoderErrorHasPathAndLocation() throws {
        let kept = try #require(CodableJSONDecoder().decode([String: [Kept]].self, from: document)["list"]?.last)
        let error = #expect(throws: DecodingError.self) { try kept.object.decode(Bool.self, forKey: TextKey("x")) }
        guard case .typeMismatch(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["list", "Index 1", "a", "x"])
        let cause = try #require(context.underlyingError as? JSONError)
        #expect(cause.path.description == "list[1].a.x")
        #expect(cause.location.offset == 54)
    }

    private func check(_ kept: Kept, _ path: [String], _ first: Int) throws {
        func texts(_ path: [any CodingKey]) -> [String] { path.map(\.stringValue) }
        #expect(texts(kept.decoder.codingPath) == path)
        #expect(texts(kept.container.codingPath) == path)
        #expect(texts(kept.object.codingPath) == path + ["a"])
        #expect(texts(kept.array.codingPath) == path + ["b"])
        #expect(texts(kept.base.codingPath) == path + ["b"])
        #expect(try kept.object.decode(Int.self, forKey: TextKey("x")) == first)
        #expect(texts(try kept.object.decode(Place.self, forKey: TextKey("x")).path) == path + ["a", "x"])
        var array = kept.array
        #expect(try array.decode(Int.self) == first + 1)
        #expect(texts(try array.decode(Place.self).path) == path + ["b", "Index 1"])
        #expect(array.isAtEnd)
        var elements = try kept.base.unkeyedContainer()
        #expect(texts(try elements.decode(Place.self).path) == path + ["b", "Index 0"])
        #expect(try elements.decode([Int].self) == [first + 2])
        let places = try [String: Place](from: kept.decoder)
        #expect(places.mapValues { texts($0.path) } == ["a": path + ["a"], "b": path + ["b"]])
    }

    /// Keeps everything that a decoder returns.
    private struct Kept: Decodable {
        let decoder: any Decoder
        let container: KeyedDecodingContainer<TextKey>
        let object: KeyedDecodingContainer<TextKey>
        let array: any UnkeyedDecodingContainer
        let base: any Decoder

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            container = try decoder.container(keyedBy: TextKey.self)
            object = try container.nestedContainer(keyedBy: TextKey.self, forKey: TextKey("a"))
            array = try container.nestedUnkeyedContainer(forKey: TextKey("b"))
            base = try container.superDecoder(forKey: TextKey("b"))
        }
    }

    /// Stores its decoder on the shelf, or uses the stored one.
    private struct Visitor: Decodable {
        init(from decoder: any Decoder) throws {
            guard let shelf = decoder.userInfo[Shelf.key] as? Shelf else { return }
            guard let other = shelf.decoder else {
                shelf.decoder = decoder
                return
            }
            let object = try other.container(keyedBy: TextKey.self)
                .nestedContainer(keyedBy: TextKey.self, forKey: TextKey("a"))
            shelf.seen = [
                other.codingPath, object.codingPath, try object.decode(Place.self, forKey: TextKey("x")).path,
            ].map { $0.map(\.stringValue) }
        }
    }

    /// `@unchecked Sendable`: used by one decoding only.
    private final class Shelf: @unchecked Sendable {
        static let key = CodingUserInfoKey(rawValue: "shelf")!
        var decoder: (any Decoder)?
        var seen: [[String]] = []
    }
}

/// A key that is known only at run time.
struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
