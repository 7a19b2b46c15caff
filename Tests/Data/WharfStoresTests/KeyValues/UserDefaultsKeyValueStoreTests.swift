import Foundation
import Testing
import WharfCore
import WharfStores

@Suite struct UserDefaultsKeyValueStoreTests {
    private let scratch: Scratch
    private let suite: String

    init() throws {
        scratch = try Scratch()
        suite = scratch.suite()
    }

    @Test func storeSeesOnlyItsOwnEntries() async throws {
        let defaults = try #require(UserDefaults(suiteName: suite))
        defaults.set(Data([9]), forKey: "x")
        defaults.set(Data([9]), forKey: "a.%zz")
        let one = try UserDefaultsKeyValueStore(suite: suite, prefix: "a.")
        let two = try UserDefaultsKeyValueStore(suite: suite, prefix: "b.")
        try await one.set([1], for: "x")
        try await two.set([2], for: "x")
        #expect(try await one.value(for: "x") == [1])
        #expect(try await two.keys(withPrefix: "") == ["x"])
        try await one.set(nil, for: "x")
        #expect(try await one.keys(withPrefix: "") == [])
        #expect(try await two.value(for: "x") == [2])
        #expect(defaults.data(forKey: "x") == Data([9]))
    }

    @Test func plainNameIsItsEntryKeyAndOthersAreEncoded() async throws {
        let store = try UserDefaultsKeyValueStore(suite: suite, prefix: "app.")
        try await store.set([1], for: "user-name_1.x")
        try await store.set([2], for: "a b/\u{E9}")
        let defaults = try #require(UserDefaults(suiteName: suite))
        #expect(defaults.data(forKey: "app.user-name_1.x") == Data([1]))
        #expect(defaults.data(forKey: "app.a%20b%2F%C3%A9") == Data([2]))
    }

    @Test func anEntryOfAnotherTypeIsCorruptForItsNameAlone() async throws {
        let defaults = try #require(UserDefaults(suiteName: suite))
        defaults.set("text", forKey: "wharf.x")
        let store = try UserDefaultsKeyValueStore(suite: suite)
        await #expect { try await store.value(for: "x") } throws: { ($0 as? StoreError)?.code == .corrupt }
        try await store.set([1], for: "y")
        #expect(try await store.value(for: "y") == [1])
        try await store.set([2], for: "x")
        #expect(try await store.value(for: "x") == [2])
    }
}
