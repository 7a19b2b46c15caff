#if os(Linux) && TestServer
import Foundation
import Synchronization
import Testing

/// `gmediarender` in a network of its own: it refuses the loopback interface. The two sides of the network are a pair of virtual
/// Ethernet interfaces, one here and one in a namespace.
final class RendererNetwork: Sendable {
    /// Addresses for measurements (RFC 2544), which nobody routes. Four for each process that tests.
    let host: String
    let peer: String
    private let namespace: String
    private let link: String
    private let renderer = Mutex<(process: Process, output: Pipe)?>(nil)

    static let prefix = "wharf-dlna-"

    private init() {
        let number = Int(getpid())
        let net = "198.18.\(number >> 6 & 255)."
        (host, peer) = (net + "\((number & 63) * 4 + 1)", net + "\((number & 63) * 4 + 2)")
        namespace = Self.prefix + "\(number)"
        link = "wd\(number)"
    }

    /// Why there can be none here; nil where there can.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "a network namespace takes root" }
        for (tool, package) in [("ip", "iproute2"), ("gmediarender", "gmediarender")] {
            guard find(tool) != nil else { return "\(tool) is missing; install it by: apt-get install \(package)" }
        }
        do {
            try RendererNetwork().withLinks {}
            return nil
        } catch {
            return "a network namespace can't be made: \(error)"
        }
    }()

    /// Gives a running renderer to `body`, and leaves nothing behind.
    static func run(_ body: (RendererNetwork) async throws -> Void) async throws {
        try removeLeftovers()
        let network = RendererNetwork()
        try network.setUp()
        do {
            try await network.startRenderer()
            try await body(network)
        } catch {
            network.tearDown()
            throw error
        }
        network.tearDown()
    }

    var location: String { "http://\(peer):49494/description.xml" }

    func startRenderer() async throws {
        let process = Process()
        process.executableURL = Self.find("ip")
        process.arguments = [
            "netns", "exec", namespace, "gmediarender", "-I", "\(link)b", "-p", "49494", "-f", "Wharf & <Tests>", "-u",
            "00000000-0000-4000-8000-000000000001", "--gstout-audiopipe", "fakesink sync=true", "--gstout-videosink",
            "fakesink", "--logfile=stdout",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        // Read to the end, or it would block once the pipe is full.
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                line.finish()
            } else {
                line.yield(String(decoding: data, as: UTF8.self))
            }
        }
        try process.run()
        renderer.withLock { $0 = (process, output) }
        var said = ""
        for await text in lines {
            said += text
            if said.contains("Ready for rendering") { return }
        }
        throw Failure("expected gmediarender to be ready, but it ended, and said: \(said.suffix(400))")
    }

    /// As a power cut does it.
    func killRenderer() {
        let renderer = renderer.withLock { renderer in
            defer { renderer = nil }
            return renderer
        }
        guard let (process, output) = renderer else { return }
        // `ip netns exec` becomes what it executes.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        output.fileHandleForReading.readabilityHandler = nil
    }

    private func setUp() throws {
        do {
            try Self.ip("netns", "add", namespace)
            try Self.ip("link", "add", "\(link)a", "type", "veth", "peer", "name", "\(link)b", "netns", namespace)
            try Self.ip("addr", "add", "\(host)/30", "dev", "\(link)a")
            try Self.ip("link", "set", "\(link)a", "up")
            try Self.ip("-n", namespace, "addr", "add", "\(peer)/30", "dev", "\(link)b")
            try Self.ip("-n", namespace, "link", "set", "\(link)b", "up")
            try Self.ip("-n", namespace, "link", "set", "lo", "up")
            // Multicast goes by it too.
            try Self.ip("-n", namespace, "route", "add", "default", "via", host)
        } catch {
            tearDown()
            throw error
        }
    }

    private func withLinks(_ body: () throws -> Void) throws {
        try setUp()
        defer { tearDown() }
        try body()
    }

    private func tearDown() {
        killRenderer()
        do {
            // It would go with the namespace, but some time later.
            if FileManager.default.fileExists(atPath: "/sys/class/net/\(link)a") {
                try Self.ip("link", "del", "\(link)a")
            }
            if FileManager.default.fileExists(atPath: "/run/netns/\(namespace)") {
                try Self.ip("netns", "del", namespace)
            }
        } catch {
            Issue.record("\(namespace) is left behind: \(error)")
        }
    }

    /// What processes left that were killed while they tested.
    private static func removeLeftovers() throws {
        for line in try ip("netns", "list").split(separator: "\n") {
            guard let name = line.split(separator: " ").first, name.hasPrefix(prefix),
                let owner = pid_t(name.dropFirst(prefix.count)), owner == getpid() || kill(owner, 0) != 0
            else { continue }
            for process in try ip("netns", "pids", String(name)).split(whereSeparator: \.isNewline).compactMap({
                pid_t($0)
            }) {
                kill(process, SIGKILL)
            }
            try ip("netns", "del", String(name))
        }
    }

    private static func find(_ tool: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":") + ["/usr/sbin", "/sbin"]).lazy
            .map { URL(filePath: String($0)).appending(path: tool) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    @discardableResult
    private static func ip(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = find("ip")
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure("ip \(arguments.joined(separator: " ")): \(String(decoding: complaint, as: UTF8.self))")
        }
        return String(decoding: said, as: UTF8.self)
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
#endif
