import Foundation
import Testing
import WharfCore
import WharfStores

private enum Theme: String, Equatable { case light, dark }

extension StoredKey<Theme> {
    fileprivate static var theme: Self { StoredKey("theme", .rawValue()) }
}

@Suite struct StoredKeyTests {
    private let store = MemoryKeyValueStore()
    private let name = StoredKey("name", .text)

    private func isUndecodable(_ error: any Error, _ words: String...) -> Bool {
        guard let error = error as? StoreError, error.code == .undecodable else { return false }
        return words.allSatisfy(error.message.contains)
    }

    @Test func aValueComesBackAsItWasSet() async throws {
        #expect(try await store.value(of: .theme) == nil)
        try await store.set(.dark, of: .theme)
        #expect(try await store.value(of: .theme) == .dark)
        for text in ["", "\0", "e\u{301}", "\u{1F600}"] {
            try await store.set(text, of: name)
            #expect(try await store.value(of: name)?.utf8.elementsEqual(text.utf8) == true)
        }
        let bytes = StoredKey("bytes", Codec<[UInt8]>.bytes)
        try await store.set([], of: bytes)
        #expect(try await store.value(of: bytes) == [])
        try await store.set(nil, of: .theme)
        #expect(try await store.keys(withPrefix: "") == ["bytes", "name"])
    }

    @Test func newerReleaseReadsValuesOfAnEarlierOne() async throws {
        struct User: Codable, Equatable { var name: String, score: Int? }
        let first = StoredKey<String>("user", .text)
        let second = StoredKey<User>(
            "user",
            Codec(schema: 2) {
                try [UInt8](JSONEncoder().encode($0))
            } decode: { bytes, schema in
                if schema == 1 { return User(name: String(decoding: bytes, as: UTF8.self), score: nil) }
                return try JSONDecoder().decode(User.self, from: Data(bytes))
            })
        try await store.set("alice", of: first)
        #expect(try await store.value(of: second) == User(name: "alice", score: nil))
        try await store.set(User(name: "bob", score: 7), of: second)
        #expect(try await store.value(of: second) == User(name: "bob", score: 7))
        // The earlier release can't decode the value.
        await #expect { try await store.value(of: first) } throws: {
            isUndecodable($0, "\"user\"", "schema 1", "schema 2", "String")
        }
        #expect(try await store.value(of: second) == User(name: "bob", score: 7))
    }

    @Test func schemasOfAnySizeComeBack() async throws {
        for schema in [0, -1, .min, .max, 1 << 40] {
            let key = StoredKey<Theme>("theme", .rawValue(schema: schema))
            try await store.set(.light, of: key)
            #expect(try await store.value(of: key) == .light)
        }
    }

    @Test func undecodableValueThrowsAndStays() async throws {
        try await store.set("green", of: StoredKey("theme", .text))
        await #expect { try await store.value(of: .theme) } throws: { isUndecodable($0, "green", "Theme", "\"theme\"") }
        for bytes in [[], Array("dark".utf8), [0xFF, 1, 0], [0xFF, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
            try await store.set(bytes, for: "theme")
            await #expect { try await store.value(of: .theme) } throws: { isUndecodable($0, "\(bytes.count) bytes") }
            #expect(try await store.value(for: "theme") == bytes)
        }
        try await store.set([0xFF, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0xC0], for: "name")
        await #expect { try await store.value(of: name) } throws: { isUndecodable($0, "UTF-8") }
        try await store.set(.light, of: .theme)
        #expect(try await store.value(of: .theme) == .light)
    }

    @Test func unencodableValueThrowsAndKeepsTheOldOne() async throws {
        struct Refused: Error {}
        let key = StoredKey<Int>(
            "n",
            Codec { _ in
                throw Refused()
            } decode: { _, _ in
                0
            })
        try await store.set([1], for: "n")
        await #expect { try await store.set(1, of: key) } throws: {
            ($0 as? StoreError)?.code == .failed && ($0 as? StoreError)?.cause is Refused
        }
        #expect(try await store.value(for: "n") == [1])
    }

    @Test func frameHasTheDocumentedBytes() async throws {
        try await store.set("hi", of: name)
        #expect(try await store.value(for: "name") == [0xFF, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0x68, 0x69])
    }
}
