import Testing
import WharfJSON

/// The `codingPath` of encoders and containers.
@Suite struct EncodingPathTests {
    @Test func codingPathHasCodingKeysAndArrayIndices() throws {
        let places = (0..<6).map { _ in Place() }
        let album = Album(
            cover: places[0], tracks: [.init(place: places[1]), .init(place: places[2])],
            notes: ["7": places[3], "é": places[4]], maybe: [nil, places[5]])
        _ = try CodableJSONEncoder().encode(["top": [album]]) as [UInt8]
        #expect(
            places.map(\.text) == [
                "top.Index 0.cover", "top.Index 0.tracks.Index 0.place", "top.Index 0.tracks.Index 1.place",
                "top.Index 0.notes.7", "top.Index 0.notes.é", "top.Index 0.maybe.Index 1",
            ])
        #expect(places[0].path.last as? Album.CodingKeys == .cover)
        #expect(places[2].path[2] as? Album.CodingKeys == .tracks)
        #expect(places[2].path[3].intValue == 1)
        #expect(places[2].path.last as? Album.Track.CodingKeys == .place)
        #expect(places[3].path.last?.intValue == 7)
    }

    @Test func codingPathStartsWithKeyOfTheTopLevelType() throws {
        let (top, place) = (Place(), Place())
        _ = try CodableJSONEncoder().encode(Album.Track(place: place)) as [UInt8]
        #expect(place.path.first is Album.Track.CodingKeys)
        _ = try CodableJSONEncoder().encode(top) as [UInt8]
        #expect(top.path.isEmpty)
    }

    @Test func nestedContainersAndSuperEncodersAddTheirKey() throws {
        struct Nested: Encodable {
            let places = (0..<6).map { _ in Place() }
            let containers = Place()

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                var object = container.nestedContainer(keyedBy: TextKey.self, forKey: TextKey("object"))
                var array = container.nestedUnkeyedContainer(forKey: TextKey("array"))
                let (own, base) = (container.superEncoder(forKey: TextKey("own")), container.superEncoder())
                try array.encode(1)
                // Encoded out of order, after other values.
                try container.encode(places[0], forKey: TextKey("x"))
                try object.encode(places[1], forKey: TextKey("x"))
                try array.encode(places[2])
                var inner = array.nestedContainer(keyedBy: TextKey.self)
                var list = array.nestedUnkeyedContainer()
                let element = array.superEncoder()
                try inner.encode(places[3], forKey: TextKey("x"))
                try list.encode(places[4])
                try places[5].encode(to: own)
                containers.path = [
                    container.codingPath, object.codingPath, array.codingPath, own.codingPath, base.codingPath,
                    inner.codingPath, list.codingPath, element.codingPath,
                ].map { TextKey($0.map(\.stringValue).joined(separator: ".")) }
            }
        }
        let value = Nested()
        _ = try CodableJSONEncoder().encode([value]) as [UInt8]
        #expect(
            value.places.map(\.text)
                == [
                    "x", "object.x", "array.Index 1", "array.Index 2.x", "array.Index 3.Index 0", "own",
                ].map { "Index 0.\($0)" })
        #expect(
            value.containers.path.map(\.stringValue) == [
                "Index 0", "Index 0.object", "Index 0.array", "Index 0.own", "Index 0.super", "Index 0.array.Index 2",
                "Index 0.array.Index 3", "Index 0.array.Index 4",
            ])
    }

    @Test(arguments: [1, 15, 16, 17, 33, 200]) func codingPathIsCompleteAtEveryDepth(_ depth: Int) throws {
        let inmost = Level(next: nil)
        let outmost = (0..<depth).reduce(inmost) { level, _ in Level(next: level) }
        _ = try CodableJSONEncoder().encode(outmost) as [UInt8]
        var level = outmost
        for count in 0...depth {
            #expect(level.before.path.count == count)
            #expect(level.before.path.allSatisfy { $0 is Level.CodingKeys })
            #expect(level.after.path.count == count)
            level = level.next ?? level
        }
        let wrong = (0..<depth).reduce(Level(next: nil, number: .nan)) { level, _ in Level(next: level) }
        let error = #expect(throws: EncodingError.self) { try CodableJSONEncoder().encode(wrong) as [UInt8] }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.count == depth + 1)
        #expect(context.codingPath.last as? Level.CodingKeys == .number)
    }

    private struct Album: Encodable {
        enum CodingKeys: CodingKey { case cover, tracks, notes, maybe }
        struct Track: Encodable {
            enum CodingKeys: CodingKey { case place }
            let place: Place
        }
        let cover: Place, tracks: [Track], notes: [String: Place], maybe: [Place?]
    }

    /// Records the coding path of its encoder.
    private final class Place: Encodable {
        var path: [any CodingKey] = []
        var text: String { path.map(\.stringValue).joined(separator: ".") }

        func encode(to encoder: any Encoder) throws {
            path = encoder.codingPath
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
    }

    /// A nested object.
    private final class Level: Encodable {
        enum CodingKeys: CodingKey { case next, number }
        let next: Level?
        let number: Double
        let before = Place(), after = Place()

        init(next: Level?, number: Double = 0) { (self.next, self.number) = (next, number) }

        func encode(to encoder: any Encoder) throws {
            before.path = encoder.codingPath
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(next, forKey: .next)
            try container.encode(number, forKey: .number)
            after.path = container.codingPath
        }
    }
}
