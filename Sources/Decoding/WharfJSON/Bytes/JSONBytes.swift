/// The immutable bytes of a document, with zeros after the last byte.
///
/// They are in memory of their own.
///
/// The zeros let a reader look some bytes ahead without a bounds check. The bytes are copied once,
/// on creation. Reading does not copy them, so several readers may share one value.
public struct JSONBytes: Sendable {
    /// The number of zeros after the last byte.
    public static let padding = 64

    @usableFromInline let storage: JSONStorage

    /// The number of bytes of the document, without the padding.
    public var count: Int { storage.count }

    /// Copies the bytes.
    ///
    /// They need not be JSON; reading them reports the errors.
    public init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { JSONBytes(copying: $0) }
    }

    /// Copies the UTF-8 of the text.
    public init(_ text: String) {
        var text = text
        self = text.withUTF8 { JSONBytes(copying: UnsafeRawBufferPointer($0)) }
    }

    /// Copies the bytes, which may be freed after the call.
    public init(copying bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// - Parameter fill: writes all of the `count` bytes that it gets.
    init(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
        storage = JSONStorage(capacity: count)
        fill(UnsafeMutableRawBufferPointer(start: storage.base, count: count))
        storage.close(at: count)
    }

    init(storage: JSONStorage) {
        self.storage = storage
    }

    /// Calls `body` with the bytes, without the padding.
    ///
    /// - Parameter body: must not let the pointer escape.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(start: storage.base, count: storage.count))
    }

    /// A copy without the padding.
    public var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// A copy of a part. The part of `range` outside the document is ignored.
    public subscript(range: Range<Int>) -> [UInt8] {
        withUnsafeBytes { Array($0[range.clamped(to: 0..<count)]) }
    }
}

extension JSONBytes: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage
            || left.withUnsafeBytes { left in right.withUnsafeBytes { left.elementsEqual($0) } }
    }

    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// The memory behind ``JSONBytes``.
///
/// `@unchecked Sendable`: the memory is written only before it is shared, and never changed after.
/// The writers are `JSONBytes.init` and the one `JSONBuffer` that owns it.
@usableFromInline final class JSONStorage: @unchecked Sendable {
    // Invariant: `capacity + padding` bytes, allocated in `init` and freed in `deinit`. The first
    // `count` are written before `close`, which writes the zeros after them. Readers come later.
    @usableFromInline let base: UnsafeMutableRawPointer
    let capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        base = .allocate(byteCount: capacity + JSONBytes.padding, alignment: 16)
        self.capacity = capacity
    }

    /// - Parameter count: the number of bytes written, at most `capacity`.
    func close(at count: Int) {
        self.count = count
        (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: JSONBytes.padding)
    }

    deinit {
        base.deallocate()
    }
}
