import Foundation
import WharfCore
import WharfStores
import WharfTesting

/// A store that is wrong in one way, and the words of the law that must notice.
struct KeyValueStoreMutant: Sendable, CustomStringConvertible {
    typealias Store = MemoryKeyValueStore

    let description: String
    let breaks: String
    var name: @Sendable (String) -> String = { $0 }
    var found: @Sendable ([UInt8]?) -> [UInt8]? = { $0 }
    var listed: @Sendable ([String]) -> [String] = { $0 }
    var begins: @Sendable (_ name: String, _ prefix: String) -> Bool = { $0.utf8.starts(with: $1.utf8) }
    var set: @Sendable (Store, [UInt8]?, String) async throws(StoreError) -> Void = {
        (store, value, name) async throws(StoreError) in try await store.set(value, for: name)
    }
    var reopened: @Sendable (Store) -> Store = { $0 }

    var subject: KeyValueStoreLaws.Subject {
        .init(description) { store in
            guard let store = store as? MutatedStore else { return store }
            return MutatedStore(base: reopened(store.base), mutant: self)
        } _: {
            MutatedStore(base: MemoryKeyValueStore(), mutant: self)
        }
    }

    static let all = inValues + inNames + inWriting
}

extension KeyValueStoreMutant {
    private static let inValues: [KeyValueStoreMutant] = [
        .init(
            description: "takes bytes for text", breaks: "a value comes back",
            found: { $0.map { Array(String(decoding: $0, as: UTF8.self).utf8) } }),
        .init(
            description: "keeps 64 KiB at most", breaks: "a large value",
            found: { $0.map { Array($0.prefix(65_536)) } }),
        .init(
            description: "takes an empty value for none", breaks: "an empty value", found: { $0 == [] ? nil : $0 }),
        .init(description: "takes none for an empty value", breaks: "what was never set", found: { $0 ?? [] }),
        .init(
            description: "adds to what is there", breaks: "in the place of the one before",
            set: { (store, value, name) async throws(StoreError) in
                let before = try await store.value(for: name) ?? []
                try await store.set(value.map { before + $0 }, for: name)
            }),
        .init(
            description: "removes all that begins alike", breaks: "nil removes a value and no other",
            set: { (store, value, name) async throws(StoreError) in
                guard value == nil else { return try await store.set(value, for: name) }
                for other in try await store.keys(withPrefix: name) { try await store.set(nil, for: other) }
            }),
        .init(
            description: "finds nothing to remove", breaks: "to remove where there is nothing",
            set: { (store, value, name) async throws(StoreError) in
                if value == nil, try await store.value(for: name) == nil {
                    throw StoreError(.failed, message: "nothing to remove")
                }
                try await store.set(value, for: name)
            }),
        .init(
            description: "forgets", breaks: "after the store was opened again",
            reopened: { _ in MemoryKeyValueStore() }),
    ]

    private static let inNames: [KeyValueStoreMutant] = [
        .init(description: "ignores case", breaks: "names that look alike", name: { $0.lowercased() }),
        .init(
            description: "composes what is canonically equivalent", breaks: "names that look alike",
            name: { $0.precomposedStringWithCanonicalMapping }),
        .init(
            description: "ends a name at NUL", breaks: "names that look alike",
            name: { String($0.prefix { $0 != "\0" }) }),
        .init(
            description: "takes 255 bytes of a name", breaks: "names that look alike",
            name: { String(decoding: $0.utf8.prefix(255), as: UTF8.self) }),
        .init(
            description: "orders by canonical equivalence", breaks: "in the order of UTF-8",
            listed: { $0.sorted() }),
        .init(
            description: "orders by UTF-16", breaks: "in the order of UTF-8",
            listed: { $0.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) } }),
        .init(description: "lists one twice", breaks: "has each name once", listed: { $0 + $0.suffix(1) }),
        .init(
            description: "ignores the case of a prefix", breaks: "begin with its bytes",
            begins: { $0.lowercased().utf8.starts(with: $1.lowercased().utf8) }),
        .init(
            description: "finds a prefix anywhere", breaks: "begin with its bytes",
            begins: { $1.isEmpty || $0.contains($1) }),
        .init(
            description: "compares characters", breaks: "may end within a character",
            begins: { $0.hasPrefix($1) }),
        .init(
            description: "lists what was removed", breaks: "the names follow",
            set: { (store, value, name) async throws(StoreError) in
                try await store.set(value ?? MutatedStore.removed, for: name)
            }),
    ]

    private static let inWriting: [KeyValueStoreMutant] = [
        .init(
            description: "keeps the first of two sets", breaks: "one is left, whole",
            set: { (store, value, name) async throws(StoreError) in
                if try await store.value(for: name) == nil || value == nil { try await store.set(value, for: name) }
            }),
        .init(
            description: "sets half, then all", breaks: "nothing between",
            set: { (store, value, name) async throws(StoreError) in
                try await store.set(value.map { Array($0.prefix($0.count / 2)) }, for: name)
                await Task.yield()
                try await store.set(value, for: name)
            }),
        .init(
            description: "removes, then sets", breaks: "while values are replaced",
            set: { (store, value, name) async throws(StoreError) in
                try await store.set(nil, for: name)
                await Task.yield()
                try await store.set(value, for: name)
            }),
        .init(
            description: "drops every other name of two writers", breaks: "are all there",
            set: { (store, value, name) async throws(StoreError) in
                // As one who writes back all that it has read: what others have set meanwhile is gone.
                let before = Set(try await store.keys(withPrefix: ""))
                await Task.yield()
                for other in try await store.keys(withPrefix: "") where !before.contains(other) {
                    try await store.set(nil, for: other)
                }
                try await store.set(value, for: name)
            }),
        .init(
            description: "sets later", breaks: "there when it returns",
            set: { (store, value, name) async throws(StoreError) in
                Task {
                    await Task.yield()
                    try await store.set(value, for: name)
                }
            }),
    ]
}

private struct MutatedStore: KeyValueStore {
    static let removed = Array("removed".utf8)

    let base: MemoryKeyValueStore
    let mutant: KeyValueStoreMutant

    func value(for key: String) async throws(StoreError) -> [UInt8]? {
        let value = try await base.value(for: mutant.name(key))
        return mutant.found(value == Self.removed ? nil : value)
    }

    func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        try await mutant.set(base, value, mutant.name(key))
    }

    func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        mutant.listed(try await base.keys(withPrefix: "").filter { mutant.begins($0, prefix) })
    }
}
