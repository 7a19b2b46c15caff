#if os(Linux) && TestServer
import ChildPrograms
import Foundation
import Synchronization
import Testing

/// `gmediarender` in a network of its own, as it refuses the loopback interface. The network is a
/// pair of virtual Ethernet interfaces, one here and one in a namespace.
final class RendererNetwork: Sendable {
    /// Addresses for benchmarks (RFC 2544), which are not routed. Each testing process uses four of
    /// them.
    let host: String
    let peer: String
    private let namespace: String
    private let link: String
    private let renderer = Mutex<RunningProgram?>(nil)

    static let prefix = "wharf-dlna-"

    private init() {
        let number = Int(getpid())
        let net = "198.18.\(number >> 6 & 255)."
        (host, peer) = (net + "\((number & 63) * 4 + 1)", net + "\((number & 63) * 4 + 2)")
        namespace = Self.prefix + "\(number)"
        link = "wd\(number)"
    }

    static let whereItIsNot: Comment = """
        it takes root, network namespaces, iproute2 and gmediarender; install them by: apt-get install iproute2 gmediarender
        """

    /// Whether such a network can be set up here.
    static let isThere = Task {
        guard geteuid() == 0, find("ip") != nil, find("gmediarender") != nil else { return false }
        let network = RendererNetwork()
        do {
            try await network.setUp()
        } catch {
            print("a network namespace can't be made: \(error)")
            return false
        }
        await network.tearDown()
        return true
    }

    /// Passes a running renderer to `body`, and removes everything afterwards.
    static func run(_ body: (RendererNetwork) async throws -> Void) async throws {
        try await removeLeftovers()
        let network = RendererNetwork()
        try await network.setUp()
        do {
            try await network.startRenderer()
            try await body(network)
        } catch {
            await network.tearDown()
            throw error
        }
        await network.tearDown()
    }

    var location: String { "http://\(peer):49494/description.xml" }

    func startRenderer() async throws {
        // `ip netns exec` replaces itself with the program, so signals reach it.
        let program = RunningProgram([
            Self.find("ip") ?? "ip", "netns", "exec", namespace, "gmediarender", "-I", "\(link)b", "-p", "49494", "-f",
            "Wharf & <Tests>", "-u",
            "00000000-0000-4000-8000-000000000001", "--gstout-audiopipe", "fakesink sync=true", "--gstout-videosink",
            "fakesink", "--logfile=stdout",
        ])
        renderer.withLock { $0 = program }
        var said = ""
        for await line in program.lines {
            said += line + "\n"
            if line.contains("Ready for rendering") { return }
        }
        throw Failure("expected gmediarender to be ready, but it ended, and said: \(said.suffix(400))")
    }

    /// Kills the renderer, as a power cut does.
    func killRenderer() async throws {
        try await renderer.withLock { renderer in
            defer { renderer = nil }
            return renderer
        }?.kill()
    }

    private func setUp() async throws {
        do {
            try await Self.ip("netns", "add", namespace)
            try await Self.ip("link", "add", "\(link)a", "type", "veth", "peer", "name", "\(link)b", "netns", namespace)
            try await Self.ip("addr", "add", "\(host)/30", "dev", "\(link)a")
            try await Self.ip("link", "set", "\(link)a", "up")
            try await Self.ip("-n", namespace, "addr", "add", "\(peer)/30", "dev", "\(link)b")
            try await Self.ip("-n", namespace, "link", "set", "\(link)b", "up")
            try await Self.ip("-n", namespace, "link", "set", "lo", "up")
            // Multicast uses the route too.
            try await Self.ip("-n", namespace, "route", "add", "default", "via", host)
        } catch {
            await tearDown()
            throw error
        }
    }

    private func tearDown() async {
        do {
            try await killRenderer()
            // It would be removed with the namespace, but some time later.
            if FileManager.default.fileExists(atPath: "/sys/class/net/\(link)a") {
                try await Self.ip("link", "del", "\(link)a")
            }
            if FileManager.default.fileExists(atPath: "/run/netns/\(namespace)") {
                try await Self.ip("netns", "del", namespace)
            }
        } catch {
            Issue.record("\(namespace) is left behind: \(error)")
        }
    }

    /// Removes the networks of testing processes that were killed.
    private static func removeLeftovers() async throws {
        for line in try await ip("netns", "list").split(separator: "\n") {
            guard let name = line.split(separator: " ").first, name.hasPrefix(prefix),
                let owner = pid_t(name.dropFirst(prefix.count)), owner == getpid() || kill(owner, 0) != 0
            else { continue }
            for process in try await ip("netns", "pids", String(name)).split(whereSeparator: \.isNewline).compactMap({
                pid_t($0)
            }) {
                kill(process, SIGKILL)
            }
            try await ip("netns", "del", String(name))
        }
    }

    private static func find(_ tool: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/", "/usr/local/bin/"].lazy.map { $0 + tool }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    @discardableResult
    private static func ip(_ arguments: String...) async throws -> String {
        let (status, text) = try await RunningProgram.output(of: [find("ip") ?? "ip"] + arguments)
        guard status == 0 else { throw Failure("ip \(arguments.joined(separator: " ")): \(text)") }
        return text
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
#endif
