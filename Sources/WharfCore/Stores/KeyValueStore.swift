/// Keeps bytes by name: a session, settings, a small cache of an app's own.
///
/// To conform, hold these laws (`KeyValueStoreLaws` in `WharfCoreLaws` checks them):
///
/// - A value comes back as it was set, also an empty one, which is not the same as none.
/// - A set is there as a whole or not at all, for every reader, also after a kill. When it returns,
///   a durable store has it on disk.
/// - Any text is a name, also the empty one; names are told apart by the bytes of their UTF-8.
/// - ``keys(withPrefix:)`` has each name that has a value, once, and no other.
///
/// ```swift
/// try await store.set(token, for: "token")
/// let token = try await store.value(for: "token")
/// ```
public protocol KeyValueStore: Sendable {
    /// - Throws: ``StoreError/Code/corrupt`` for a value that is damaged. It stops no other name,
    ///   and stays until it is set or removed.
    func value(for key: String) async throws(StoreError) -> [UInt8]?

    /// - Parameter value: in the place of what the name had; nil removes it, which is no error
    ///   where there is none.
    func set(_ value: [UInt8]?, for key: String) async throws(StoreError)

    /// The names that begin with these bytes, in the order of their UTF-8.
    func keys(withPrefix prefix: String) async throws(StoreError) -> [String]
}
