import Foundation
import WharfCore
import WharfTesting

@testable import WharfStores

/// Every key-value store that runs here.
enum KeyValueConformer: String, CaseIterable, Sendable {
    case memory, file

    func make(in scratch: Scratch) async throws -> any KeyValueStore {
        switch self {
        case .memory: MemoryKeyValueStore()
        case .file: try await FileKeyValueStore.open(at: scratch.fresh())
        }
    }

    func reopen(_ store: any KeyValueStore) async throws -> any KeyValueStore {
        switch store {
        case let store as FileKeyValueStore: try await FileKeyValueStore.open(at: store.folder.path)
        default: store
        }
    }

    func subject(in scratch: Scratch) -> KeyValueStoreLaws.Subject {
        KeyValueStoreLaws.Subject(rawValue, reopen: reopen) { try await make(in: scratch) }
    }
}
