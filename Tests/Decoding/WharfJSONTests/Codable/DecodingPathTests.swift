import Testing
import WharfJSON

/// The `codingPath` of decoders and containers.
@Suite struct DecodingPathTests {
    private let album = Array(
        """
        {"cover": 1, "tracks": [{"place": 2}, {"place": 3}], "notes": {"7": 4, "é": 5}, "maybe": [null, 6]}
        """.utf8)

    @Test func codingPathHasCodingKeysAndArrayIndices() throws {
        let album = try CodableJSONDecoder().decode([String: [Album]].self, from: wrapped(album))["top"]?[1]
        let read = try #require(album)
        #expect(texts(read.cover.path) == ["top", "Index 1", "cover"])
        #expect(texts(read.tracks[1].place.path) == ["top", "Index 1", "tracks", "Index 1", "place"])
        #expect(texts(try #require(read.notes["7"]).path) == ["top", "Index 1", "notes", "7"])
        #expect(texts(try #require(read.notes["é"]).path) == ["top", "Index 1", "notes", "é"])
        #expect(texts(try #require(read.maybe[1]).path) == ["top", "Index 1", "maybe", "Index 1"])
        #expect(read.cover.path[1].intValue == 1)
        #expect(read.notes["7"]?.path[3].intValue == 7)
        #expect(read.cover.path.last as? Album.CodingKeys == .cover)
        #expect(read.tracks[0].place.path[2] as? Album.CodingKeys == .tracks)
        #expect(read.tracks[0].place.path.last as? Album.Track.CodingKeys == .place)
    }

    @Test func codingPathStartsWithKeyOfTheTopLevelType() throws {
        let read = try CodableJSONDecoder().decode(Album.self, from: album)
        #expect(read.cover.path.first is Album.CodingKeys)
        #expect(read.tracks[1].place.path.first is Album.CodingKeys)
        #expect(read.notes["7"]?.path.first is Album.CodingKeys)
        #expect(try CodableJSONDecoder().decode(Place.self, from: Array("1".utf8)).path.isEmpty)
    }

    @Test func nestedContainersAndSuperDecodersAddTheirKey() throws {
        struct Nested: Decodable {
            enum Keys: CodingKey { case object, array, own }
            enum Inner: CodingKey { case x }
            var paths: [[String]] = []
            var keys: [any CodingKey] = []

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                let object = try container.nestedContainer(keyedBy: Inner.self, forKey: .object)
                var array = try container.nestedUnkeyedContainer(forKey: .array)
                let (own, base) = (try container.superDecoder(forKey: .own), try container.superDecoder())
                keys = try object.decode(Place.self, forKey: .x).path
                note(container.codingPath, object.codingPath, keys, array.codingPath)
                note(try array.decode(Place.self).path)
                let inner = try array.nestedContainer(keyedBy: Inner.self)
                note(inner.codingPath, try inner.decode(Place.self, forKey: .x).path)
                var list = try array.nestedUnkeyedContainer()
                note(list.codingPath, try list.decode(Place.self).path)
                let element = try array.superDecoder()
                note(element.codingPath, try Place(from: element).path)
                note(own.codingPath, try own.container(keyedBy: Inner.self).decode(Place.self, forKey: .x).path)
                note(base.codingPath, try base.singleValueContainer().decode(Place.self).path)
            }

            mutating func note(_ found: [any CodingKey]...) { paths += found.map { $0.map(\.stringValue) } }
        }
        let document = #"[{"object": {"x": 1}, "array": [1, {"x": 1}, [1], 1], "own": {"x": 1}, "super": 1}]"#
        let read = try CodableJSONDecoder().decode([Nested].self, from: Array(document.utf8))[0]
        #expect(
            read.paths.map { $0.dropFirst().joined(separator: ".") } == [
                "", "object", "object.x", "array", "array.Index 0", "array.Index 1", "array.Index 1.x", "array.Index 2",
                "array.Index 2.Index 0", "array.Index 3", "array.Index 3", "own", "own.x", "super", "super",
            ])
        #expect(read.paths.allSatisfy { $0.first == "Index 0" })
        #expect(read.keys[1] as? Nested.Keys == .object)
        #expect(read.keys[2] as? Nested.Inner == .x)
    }

    @Test(arguments: [1, 15, 16, 17, 33, 200]) func codingPathIsCompleteAtEveryDepth(_ depth: Int) throws {
        let document = String(repeating: #"{"next":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        var level = try CodableJSONDecoder().decode(Level.self, from: Array(document.utf8))
        for count in 0...depth {
            #expect(level.before.count == count)
            #expect(level.before.allSatisfy { $0 is Level.CodingKeys })
            // The keys of finished values are removed.
            #expect(level.after.count == count)
            guard let next = level.next.first else { continue }
            level = next
        }
        let wrong = document.replacing("{}", with: "[]")
        let error = #expect(throws: DecodingError.self) {
            try CodableJSONDecoder().decode(Level.self, from: Array(wrong.utf8))
        }
        guard case .typeMismatch(_, let context)? = error else { return }
        #expect(context.codingPath.count == depth)
        #expect(context.codingPath.allSatisfy { $0 is Level.CodingKeys })
    }

    private func wrapped(_ album: [UInt8]) -> [UInt8] {
        Array(#"{"top": ["#.utf8) + album + [0x2C] + album + Array("]}".utf8)
    }

    private func texts(_ path: [any CodingKey]) -> [String] { path.map(\.stringValue) }

    private struct Album: Decodable {
        enum CodingKeys: CodingKey { case cover, tracks, notes, maybe }
        struct Track: Decodable {
            enum CodingKeys: CodingKey { case place }
            let place: Place
        }
        let cover: Place, tracks: [Track], notes: [String: Place], maybe: [Place?]
    }

    /// A nested object.
    private struct Level: Decodable {
        enum CodingKeys: CodingKey { case next }
        let before: [any CodingKey]
        let after: [any CodingKey]
        /// Zero or one element.
        let next: [Level]

        init(from decoder: any Decoder) throws {
            before = decoder.codingPath
            let container = try decoder.container(keyedBy: CodingKeys.self)
            next = try container.decodeIfPresent(Level.self, forKey: .next).map { [$0] } ?? []
            after = container.codingPath
        }
    }
}

/// The coding path of its decoder.
struct Place: Decodable {
    let path: [any CodingKey]

    init(from decoder: any Decoder) throws { path = decoder.codingPath }
}
