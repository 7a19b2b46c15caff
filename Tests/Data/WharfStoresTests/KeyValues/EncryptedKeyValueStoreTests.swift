#if Encryption
import Crypto
import Foundation
import Testing
import WharfCore
import WharfStores

@Suite struct EncryptedKeyValueStoreTests {
    private let base = MemoryKeyValueStore()
    private let key = KeyValueConformer.key

    private func isCorrupt(_ error: any Error) -> Bool { (error as? StoreError)?.code == .corrupt }

    private func sealedNames() async throws -> [String] { try await base.keys(withPrefix: "sealed.") }

    @Test func noFileHoldsANameOrAValue() async throws {
        let scratch = try Scratch()
        let folder = scratch.fresh()
        let store = EncryptedKeyValueStore(try await FileKeyValueStore.open(at: folder), key: key)
        let (name, value) = ("session.of.alice", "a secret that nobody reads")
        try await store.set(Array(value.utf8), for: name)
        let files = FileManager.default
        let hidden = [name, value].flatMap { text in
            let hexadecimal = text.utf8.map { String(format: "%02x", $0) }.joined()
            return [text, hexadecimal, Data(text.utf8).base64EncodedString()]
        }
        let names = try files.names(in: folder)
        #expect(names.count == 3, "the lock, the mark of the key, the value")
        for file in names {
            let bytes = try files.bytes(folder + "/" + file)
            for text in hidden {
                #expect(!file.contains(text))
                #expect(Data(bytes).range(of: Data(text.utf8)) == nil, "\(text) stands in \(file)")
            }
        }
    }

    @Test func sameValueIsSealedDifferentlyEachTime() async throws {
        let store = EncryptedKeyValueStore(base, key: key)
        try await store.set([1, 2, 3], for: "x")
        let stored = try #require(try await sealedNames().first)
        let first = try await base.value(for: stored)
        try await store.set([1, 2, 3], for: "x")
        #expect(try await base.value(for: stored) != first)
    }

    @Test func anotherKeyIsRefusedAndHarmsNothing() async throws {
        try await EncryptedKeyValueStore(base, key: key).set([1], for: "x")
        let before = try await base.keys(withPrefix: "")
        let other = EncryptedKeyValueStore(base, key: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
        await #expect { try await other.value(for: "x") } throws: { isCorrupt($0) }
        await #expect { try await other.set([2], for: "x") } throws: { isCorrupt($0) }
        await #expect { try await other.set(nil, for: "x") } throws: { isCorrupt($0) }
        await #expect { try await other.keys(withPrefix: "") } throws: { isCorrupt($0) }
        #expect(try await base.keys(withPrefix: "") == before)
        #expect(try await EncryptedKeyValueStore(base, key: key).value(for: "x") == [1])
    }

    @Test func everyChangedByteIsCorruptForItsNameAlone() async throws {
        let store = EncryptedKeyValueStore(base, key: key)
        try await store.set([1, 2, 3], for: "x")
        let stored = try #require(try await sealedNames().first)
        try await store.set([4], for: "y")
        let whole = try #require(try await base.value(for: stored))
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 1
            try await base.set(changed, for: stored)
            await #expect { try await store.value(for: "x") } throws: { isCorrupt($0) }
        }
        for count in whole.indices {
            try await base.set(Array(whole.prefix(count)), for: stored)
            await #expect { try await store.value(for: "x") } throws: { isCorrupt($0) }
        }
        #expect(try await store.value(for: "y") == [4])
        await #expect { try await store.keys(withPrefix: "") } throws: { isCorrupt($0) }
        try await store.set(nil, for: "x")
        #expect(try await store.keys(withPrefix: "") == ["y"])
    }

    @Test func aValueThatWasMovedToAnotherNameIsCorrupt() async throws {
        let store = EncryptedKeyValueStore(base, key: key)
        try await store.set([1], for: "x")
        let ofX = try #require(try await sealedNames().first)
        let bytes = try await base.value(for: ofX)
        try await store.set([2], for: "y")
        let ofY = try #require(try await sealedNames().first { $0 != ofX })
        try await base.set(bytes, for: ofY)
        await #expect { try await store.value(for: "y") } throws: { isCorrupt($0) }
        #expect(try await store.value(for: "x") == [1])
    }

    @Test func unsealedValueIsLeftAlone() async throws {
        try await base.set([9], for: "plain")
        let store = EncryptedKeyValueStore(base, key: key)
        try await store.set([1], for: "plain")
        #expect(try await store.keys(withPrefix: "") == ["plain"])
        #expect(try await base.value(for: "plain") == [9])
    }
}
#endif
