/// The bytes of a document, immutable, in memory of their own that goes on with zeros behind the
/// last one.
///
/// The zeros let a reader look some bytes ahead without asking where the end is. Bytes are copied
/// once, when this is made, and not again by reading: several readers may share one value.
public struct JSONBytes: Sendable {
    /// How many zeros follow the last byte.
    public static let padding = 64

    @usableFromInline let storage: JSONStorage

    /// How many bytes the document has, without the padding.
    public var count: Int { storage.count }

    /// Copies the bytes, which need not be JSON: reading tells.
    public init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { JSONBytes(copying: $0) }
    }

    /// Copies the UTF-8 of the text.
    public init(_ text: String) {
        var text = text
        self = text.withUTF8 { JSONBytes(copying: UnsafeRawBufferPointer($0)) }
    }

    /// Copies the bytes, which may go away after the call.
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

    /// - Parameter body: must not let the pointer out.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(start: storage.base, count: storage.count))
    }

    /// A copy without the padding.
    public var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// A copy of a part. What of `range` lies outside of the document is left out.
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
/// `@unchecked Sendable`: written only before anything else can see it (in `JSONBytes.init` and by
/// the one `JSONBuffer` that owns it), and never changed after.
@usableFromInline final class JSONStorage: @unchecked Sendable {
    // Allocated in `init`, freed in `deinit`, `capacity + padding` bytes long. The first `count`
    // are written before `close`, which writes the zeros behind them; readers come after.
    @usableFromInline let base: UnsafeMutableRawPointer
    let capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        base = .allocate(byteCount: capacity + JSONBytes.padding, alignment: 16)
        self.capacity = capacity
    }

    /// - Parameter count: at most `capacity`; so many bytes have been written.
    func close(at count: Int) {
        self.count = count
        (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: JSONBytes.padding)
    }

    deinit {
        base.deallocate()
    }
}
