#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a run with values that stand in may take of the machine: with one of them a type may go on
/// for ever. One that does is killed.
struct StandInLimits: Sendable, Hashable {
    let seconds: Int
    /// Of address space, beyond what the process has.
    let bytes: Int

    /// Room for several times what a type takes that comes to an end.
    ///
    /// - Parameters:
    ///   - size: of the document, in bytes.
    ///   - plain: how long the type took without stand-ins.
    init(size: Int, plain: Duration) {
        seconds = 5 + size / 50_000 + 20 * Int(plain.components.seconds)
        bytes = 1 << 30 + 200 * size
    }

    func hold<Result>(_ body: () -> Result) -> Result {
        alarm(UInt32(clamping: seconds))
        defer { alarm(0) }
        #if os(Linux)
        // Elsewhere the system keeps no such limit.
        return Self.limitingMemory(to: bytes, body)
        #else
        return body()
        #endif
    }

    #if os(Linux)
    private static func limitingMemory<Result>(to bytes: Int, _ body: () -> Result) -> Result {
        var before = rlimit()
        guard let taken = addressSpace, getrlimit(addressSpaceLimit, &before) == 0 else { return body() }
        var limits = before
        limits.rlim_cur = min(before.rlim_cur, rlim_t(taken + bytes))
        setrlimit(addressSpaceLimit, &limits)
        defer { setrlimit(addressSpaceLimit, &before) }
        return body()
    }

    /// Of this process, in bytes: the first number of its statm (proc_pid_statm(5)), which counts
    /// pages.
    private static var addressSpace: Int? {
        guard let file = try? Descriptor.open("/proc/self/statm") else { return nil }
        defer { file.close() }
        var bytes: [UInt8] = []
        guard let count = try? file.read(into: &bytes, upTo: 256), count > 0 else { return nil }
        let pages = Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
        return pages.map { $0 * Int(getpagesize()) }
    }

    #if canImport(Musl)
    private static let addressSpaceLimit = RLIMIT_AS
    #else
    private static let addressSpaceLimit = Int32(RLIMIT_AS.rawValue)
    #endif
    #endif
}
