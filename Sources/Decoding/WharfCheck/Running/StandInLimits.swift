#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Limits of a run with stand-ins, as a type may loop forever on one of them.
///
/// A process that exceeds them is killed.
struct StandInLimits: Sendable, Hashable {
    let seconds: Int
    /// Bytes of address space beyond the current use.
    let bytes: Int

    /// Creates limits several times above the needs of a type that ends.
    ///
    /// - Parameters:
    ///   - size: the size of the document in bytes.
    ///   - plain: the time that the type took without stand-ins.
    init(size: Int, plain: Duration) {
        seconds = 5 + size / 50_000 + 20 * Int(plain.components.seconds)
        bytes = 1 << 30 + 200 * size
    }

    func hold<Result>(_ body: () -> Result) -> Result {
        // The signal ends the worker, which the other process reports like any crash.
        alarm(UInt32(clamping: seconds))
        defer { alarm(0) }
        #if os(Linux)
        // Other systems have no such limit.
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

    /// The address space of this process in bytes.
    ///
    /// It is the first number of `statm`, which counts pages (proc_pid_statm(5)).
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
