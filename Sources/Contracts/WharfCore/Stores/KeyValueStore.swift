/// A store of bytes by name, such as a session, settings or a small cache.
///
/// To conform, keep these laws (`KeyValueStoreLaws` in `WharfCoreLaws` checks them):
///
/// - A value is read as it was set. An empty value differs from no value.
/// - A set is atomic for every reader, even if the process is killed. When it returns, a durable
///   store has the value on disk.
/// - Any text is a name, even the empty text. Names are compared by their UTF-8 bytes.
/// - ``keys(withPrefix:)`` returns each name that has a value, once, and no other name.
///
/// ```swift
/// try await store.set(token, for: "token")
/// let token = try await store.value(for: "token")
/// ```
public protocol KeyValueStore: Sendable {
    /// Returns the value of a name; nil if it has none.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the value is damaged. Other names are not affected.
    ///   The damaged value stays until the name is set or removed.
    func value(for key: String) async throws(StoreError) -> [UInt8]?

    /// Sets or removes the value of a name.
    ///
    /// - Parameter value: the new value; nil removes the value. It is no error if the name has
    ///   none.
    func set(_ value: [UInt8]?, for key: String) async throws(StoreError)

    /// Returns the names with these first bytes, in the order of their UTF-8.
    func keys(withPrefix prefix: String) async throws(StoreError) -> [String]
}
