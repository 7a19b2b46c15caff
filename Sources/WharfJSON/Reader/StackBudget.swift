/// How much of the thread's stack reading or writing may use, so that deep documents are an error
/// and no crash: how much a level takes is up to the types, and a recursive one of many fields
/// takes kilobytes.
///
/// Measured by the addresses of local variables, as Swift has no way to ask. Stacks grow downwards
/// wherever Swift runs.
struct StackBudget {
    /// Threads other than the main one have 512 KiB on Apple's platforms, which the callers need
    /// some of; 128 KiB with musl, 8 MiB with glibc.
    #if canImport(Darwin)
    static let standard = 320 << 10
    #elseif canImport(Musl)
    static let standard = 64 << 10
    #else
    static let standard = 4 << 20
    #endif

    /// So few levels are not worth asking.
    static let shallow = 32

    private let lowest: UInt

    /// - Parameter bytes: from here on.
    init(bytes: Int) {
        let (here, bytes) = (Self.address(), UInt(max(0, bytes)))
        lowest = here > bytes ? here - bytes : 0
    }

    /// For what begins within.
    var bytesLeft: Int {
        let here = Self.address()
        return here > lowest ? Int(here - lowest) : 0
    }

    /// Of no meaning for a decoder that was kept and is used by another thread, whose stack lies
    /// elsewhere.
    @inline(never) var isUsedUp: Bool { Self.address() < lowest }

    @inline(never) private static func address() -> UInt {
        var local: UInt8 = 0
        return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }
}
