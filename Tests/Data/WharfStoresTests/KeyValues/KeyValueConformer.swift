import Foundation
import WharfCore
import WharfCoreLaws

@testable import WharfStores

#if Encryption
import Crypto
#endif

/// Every key-value store that runs on this platform.
enum KeyValueConformer: String, CaseIterable, Sendable {
    case memory, file, userDefaults
    #if Encryption
    case encryptedMemory, encryptedFile
    #endif

    func make(in scratch: Scratch) async throws -> any KeyValueStore {
        try await open(at: scratch.fresh(), suite: scratch.suite(), memory: MemoryKeyValueStore())
    }

    func subject(in scratch: Scratch) -> KeyValueStoreLaws.Subject {
        KeyValueStoreLaws.Subject(rawValue) { store in
            guard let store = store as? Opened else { return store }
            return try await store.again()
        } _: {
            let (folder, suite, memory) = (scratch.fresh(), scratch.suite(), MemoryKeyValueStore())
            return try await Opened { try await open(at: folder, suite: suite, memory: memory) }
        }
    }

    private func open(at folder: String, suite: String, memory: MemoryKeyValueStore) async throws -> any KeyValueStore {
        switch self {
        case .memory: return memory
        case .file: return try await FileKeyValueStore.open(at: folder)
        case .userDefaults: return try UserDefaultsKeyValueStore(suite: suite)
        #if Encryption
        case .encryptedMemory: return EncryptedKeyValueStore(memory, key: Self.key)
        case .encryptedFile:
            return EncryptedKeyValueStore(try await FileKeyValueStore.open(at: folder), key: Self.key)
        #endif
        }
    }

    #if Encryption
    static let key = SymmetricKey(data: Array(0..<32 as Range<UInt8>))
    #endif
}

/// A store that can be opened again in the same way.
private struct Opened: KeyValueStore {
    let base: any KeyValueStore
    let open: @Sendable () async throws -> any KeyValueStore

    init(_ open: @escaping @Sendable () async throws -> any KeyValueStore) async throws {
        self.open = open
        base = try await open()
    }

    func again() async throws -> Opened { try await Opened(open) }

    func value(for key: String) async throws(StoreError) -> [UInt8]? { try await base.value(for: key) }
    func set(_ value: [UInt8]?, for key: String) async throws(StoreError) { try await base.set(value, for: key) }
    func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        try await base.keys(withPrefix: prefix)
    }
}
