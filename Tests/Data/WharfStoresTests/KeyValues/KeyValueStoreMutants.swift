import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStores

/// Stores with one defect each.
enum KeyValueStoreMutants {
    typealias Mutant = LawMutant<KeyValueStoreLaws.Subject>

    static let all = values + names + writers

    /// - Parameters:
    ///   - reopened: returns the store after it is opened again. Other defects are in memory only.
    ///   - spoil: adds the defect to a correct store.
    static func mutant(
        _ description: String, breaks law: String,
        reopened: @escaping @Sendable (MemoryKeyValueStore) -> MemoryKeyValueStore = { $0 },
        _ spoil: @escaping @Sendable (inout WrongKeyValueStore) -> Void
    ) -> Mutant {
        Mutant(
            breaks: law,
            .init(description) { store in
                guard let store = store as? WrongKeyValueStore else { return store }
                return reopened(store.base)
            } _: {
                var store = WrongKeyValueStore()
                spoil(&store)
                return store
            })
    }
}

struct WrongKeyValueStore: KeyValueStore {
    let base = MemoryKeyValueStore()
    var value: @Sendable (String) async throws(StoreError) -> [UInt8]?
    var set: @Sendable ([UInt8]?, String) async throws(StoreError) -> Void
    var keys: @Sendable (String) async throws(StoreError) -> [String]

    init() {
        let base = base
        value = { (name) async throws(StoreError) in try await base.value(for: name) }
        set = { (value, name) async throws(StoreError) in try await base.set(value, for: name) }
        keys = { (prefix) async throws(StoreError) in try await base.keys(withPrefix: prefix) }
    }

    func value(for key: String) async throws(StoreError) -> [UInt8]? { try await value(key) }
    func set(_ value: [UInt8]?, for key: String) async throws(StoreError) { try await set(value, key) }
    func keys(withPrefix prefix: String) async throws(StoreError) -> [String] { try await keys(prefix) }
}

extension WrongKeyValueStore {
    mutating func finds(_ change: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        value = { [base] (name) async throws(StoreError) in try await base.value(for: name).flatMap(change) }
    }

    mutating func reads(under change: @escaping @Sendable (String) -> String) {
        value = { [base] (name) async throws(StoreError) in try await base.value(for: change(name)) }
    }

    /// - Parameter change: maps the correct names, given the prefix.
    mutating func lists(_ change: @escaping @Sendable ([String], String) -> [String]) {
        keys = { [base] (prefix) async throws(StoreError) in change(try await base.keys(withPrefix: prefix), prefix) }
    }

    /// - Parameter isMeant: called with the name and the prefix.
    mutating func matches(_ isMeant: @escaping @Sendable (String, String) -> Bool) {
        keys = { [base] (prefix) async throws(StoreError) in
            try await base.keys(withPrefix: "").filter { isMeant($0, prefix) }
        }
    }
}
