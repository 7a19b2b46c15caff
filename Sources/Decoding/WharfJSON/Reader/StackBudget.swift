/// A limit on the use of the thread's stack, which turns deep documents into errors and not
/// crashes.
///
/// The stack per level depends on the types: a recursive type with many fields takes kilobytes.
///
/// It compares addresses of local variables, as Swift has no function for it. Stacks grow downwards
/// on every platform that Swift supports.
struct StackBudget {
    /// Secondary threads have 512 KiB on Apple's platforms, 128 KiB with musl, and 8 MiB with
    /// glibc. The callers need some of it.
    #if canImport(Darwin)
    static let standard = 320 << 10
    #elseif canImport(Musl)
    static let standard = 64 << 10
    #else
    static let standard = 4 << 20
    #endif

    /// The number of levels below which no check is needed.
    static let shallow = 32

    private let lowest: UInt

    /// - Parameter bytes: the limit, counted from this call.
    init(bytes: Int) {
        let (here, bytes) = (Self.address(), UInt(max(0, bytes)))
        lowest = here > bytes ? here - bytes : 0
    }

    /// The bytes left, for a nested budget.
    var bytesLeft: Int {
        let here = Self.address()
        return here > lowest ? Int(here - lowest) : 0
    }

    /// Whether the limit is exceeded.
    ///
    /// It means nothing for a decoder that was kept and is used on another thread, whose stack is
    /// elsewhere.
    @inline(never) var isUsedUp: Bool { Self.address() < lowest }

    @inline(never) private static func address() -> UInt {
        // The stack grows downwards, and a local variable lies near its end. The function is not
        // inlined, so the address is that of a new frame.
        var local: UInt8 = 0
        return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }
}
