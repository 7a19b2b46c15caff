import Synchronization
import WharfCache
import WharfCore
import WharfKillHarness
import WharfSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Passes a large body through a cache, and reads it and a part of it from the file.
struct StreamMode {
    let file: String
    let megabytes: Int

    func run() async throws {
        let store = try await SQLiteCacheStore.open(at: file, byteLimit: 8 << 30, entryLimit: 4 << 30) { incident in
            ProbeProcess.end(2, "\(incident.code): \(incident.message)")
        }
        // The first body loads the code, and fills the caches of SQLite.
        try await pass(8, store)
        let before = Self.peak
        try await pass(megabytes, store)
        ProbeProcess.say("grew \(Self.peak - before)")
        try await store.close()
    }

    private func pass(_ megabytes: Int, _ store: SQLiteCacheStore) async throws {
        let origin = Origin(chunks: megabytes << 4)
        let cache = CachingTransport(origin, store: store) { incident in
            ProbeProcess.end(2, "\(incident.code): \(incident.message)")
        }
        var request = TransportRequest(
            HTTPRequest(method: .get, scheme: "https", authority: "probe.test", path: "/\(megabytes)"))
        for _ in 1...2 {
            var index = 0
            for try await chunk in try await cache.send(request).body {
                guard chunk == Origin.chunk(index) else { throw WrongBody(what: "chunk \(index)") }
                index += 1
            }
            guard index == megabytes << 4 else { throw WrongBody(what: "\(index) chunks") }
        }
        let half = megabytes << 19
        request.head.headerFields[.range] = "bytes=\(half)-\(half + 9)"
        let part = try await cache.send(request).body.collect()
        guard part == Array(Origin.chunk(megabytes << 3).prefix(10)) else { throw WrongBody(what: "the part") }
        guard origin.requests.withLock({ $0 }) == 1 else { throw WrongBody(what: "the body was not stored") }
    }

    /// The largest size of the process until now, in KiB.
    private static var peak: Int {
        #if canImport(Darwin)
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return Int(usage.ru_maxrss) >> 10
        #else
        // On Linux `ru_maxrss` begins with the size of the parent, which `exec` does not reset. A
        // test process is larger than any growth here.
        guard let status = fopen("/proc/self/status", "r") else {
            ProbeProcess.end(2, "/proc/self/status can't be opened")
        }
        defer { fclose(status) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, CInt(line.count), status) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("VmHWM:"), let size = Int(text.filter(\.isNumber)) { return size }
        }
        ProbeProcess.end(2, "/proc/self/status has no VmHWM")
        #endif
    }

    /// An origin with one body, which is made while it is read.
    private final class Origin: Transport {
        let chunks: Int
        let requests = Mutex(0)

        init(chunks: Int) { self.chunks = chunks }

        static func chunk(_ index: Int) -> [UInt8] {
            [UInt8](repeating: UInt8(truncatingIfNeeded: index &* 31), count: 64 << 10)
        }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            requests.withLock { $0 += 1 }
            let length = Int64(chunks) << 16
            let fields: HTTPFields = [.cacheControl: "max-age=3600", .contentLength: "\(length)"]
            return TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: fields),
                body: BodyStream(Body(chunks: chunks), expectedLength: length),
                provenance: Provenance(source: .network, asOf: .distantPast))
        }
    }

    private final class Body: BodyStream.Producer {
        private let chunks: Int
        private let index = Mutex(0)

        init(chunks: Int) { self.chunks = chunks }

        func next() async throws(TransportError) -> [UInt8]? {
            index.withLock { index in
                if index == chunks { return nil }
                index += 1
                return Origin.chunk(index - 1)
            }
        }

        func cancel() { index.withLock { $0 = chunks } }
    }
}
