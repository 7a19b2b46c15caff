internal import Foundation
internal import Synchronization
public import WharfCore
public import WharfPlayback

/// A search for renderers in the local network, by SSDP.
///
/// ```swift
/// for await finding in DLNADiscovery(transport: transport).findings() {
///     switch finding {
///     case .screen(let screen): screens.append(screen)
///     case .failure(let error): log(error)
///     }
/// }
/// ```
///
/// If multicast is blocked, use ``DLNAScreen/at(_:transport:timing:clock:)`` with a known address.
/// On Apple's mobile platforms a search needs the entitlement
/// `com.apple.developer.networking.multicast`. The Info.plist needs
/// `NSLocalNetworkUsageDescription`.
public struct DLNADiscovery: Sendable {
    /// A result of a search.
    public enum Finding: Sendable {
        /// A renderer that has described itself.
        case screen(DLNAScreen)
        /// A failure of the search or of one device.
        ///
        /// Either the search failed, or a device's description was unreachable or invalid, or too
        /// many devices answered.
        case failure(PlaybackError)
    }

    /// The maximum number of addresses in one search. It bounds the memory if a device floods the
    /// network.
    static let most = 256
    /// The maximum number of descriptions that are read concurrently.
    static let mostAtOnce = 8

    private let transport: any Transport
    private let request: SearchRequest
    private let sends: Int
    private let timing: DLNATiming
    private let clock: any Clock<Duration>
    private let open: @Sendable () throws(PlaybackError) -> any DatagramSocket

    /// Creates a search. ``findings()`` starts it.
    ///
    /// - Parameters:
    ///   - transport: sends all requests to the found devices.
    ///   - wait: the time in which devices answer, 1 to 5 seconds. A search takes about two seconds
    ///     more.
    ///   - sends: the number of search datagrams, at least one. Datagrams may be lost.
    ///   - timing: the timing of the found screens.
    ///   - clock: measures all times, including those of the screens.
    ///   - open: opens a socket for each search.
    public init(
        transport: any Transport, wait: Int = 2, sends: Int = 3, timing: DLNATiming = DLNATiming(),
        clock: any Clock<Duration> = ContinuousClock(),
        open: @escaping @Sendable () throws(PlaybackError) -> any DatagramSocket = { () throws(PlaybackError) in
            try UDPSocket()
        }
    ) {
        self.transport = transport
        request = SearchRequest(longestWait: min(max(wait, 1), 5))
        self.sends = max(sends, 1)
        self.timing = timing
        self.clock = clock
        self.open = open
    }

    /// Searches once, and returns devices as soon as their descriptions have been read.
    ///
    /// The sequence ends with the search. Cancelling the iteration ends the search.
    ///
    /// A device appears once for each address at which it describes itself. That happens for a
    /// device on two networks, or one that has moved. Screens with one ``DLNAScreen/id`` are one
    /// device. At most 256 addresses are read, eight concurrently, in the order of the answers. The
    /// search ends when each has answered, or has exceeded its ``DLNATiming``.
    ///
    /// A description is read only from the address that has answered, if the socket knows it.
    /// Otherwise any host in the network could cause requests to other hosts.
    public func findings() -> AsyncStream<Finding> {
        let (stream, continuation) = AsyncStream.makeStream(of: Finding.self)
        let task = Task {
            do throws(PlaybackError) {
                try await search { continuation.yield($0) }
            } catch {
                continuation.yield(.failure(error))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func search(_ report: @escaping @Sendable (Finding) -> Void) async throws(PlaybackError) {
        let socket = try open()
        await withTaskGroup(of: Void.self) { group in
            // The child task ends with this scope.
            async let _ = ask(socket, report)
            let waiting = PendingDescriptions()
            var seen: Set<SearchAnswer> = []
            var isFull = false
            for await datagram in socket.received {
                // A device answers each of the datagrams that are sent.
                guard let answer = SearchAnswer(datagram), !seen.contains(answer) else { continue }
                if seen.count < Self.most {
                    seen.insert(answer)
                    guard waiting.add(answer) else { continue }
                    group.addTask {
                        while let next = waiting.next() { await report(finding(at: next)) }
                    }
                } else if !isFull {
                    isFull = true
                    report(.failure(Self.tooMany))
                }
            }
            socket.close()
        }
    }

    /// The answers whose descriptions have not been read yet.
    private final class PendingDescriptions: Sendable {
        // Invariant when the lock is free: `readers` is the number of child tasks that have not got
        // nil from `next()`. While an answer waits there is at least one.
        private let content = Mutex((answers: [SearchAnswer](), readers: 0))

        /// - Returns: whether to start another reader.
        func add(_ answer: SearchAnswer) -> Bool {
            content.withLock { content in
                content.answers.append(answer)
                guard content.readers < mostAtOnce else { return false }
                content.readers += 1
                return true
            }
        }

        /// - Returns: the next answer; nil if there is none or the search was cancelled. The reader
        ///   ends then.
        func next() -> SearchAnswer? {
            content.withLock { content in
                // The look and the count are one step. Otherwise an answer could be added to a
                // reader that is just ending.
                guard !content.answers.isEmpty, !Task.isCancelled else {
                    content.readers -= 1
                    return nil
                }
                return content.answers.removeFirst()
            }
        }
    }

    private static let tooMany = PlaybackError(
        .refused,
        "more than \(most) addresses of devices answered, so the rest is left out; "
            + "check which devices are in this network"
    )

    /// Sends the search datagrams, waits for the last answers, and ends the search.
    private func ask(_ socket: any DatagramSocket, _ report: @Sendable (Finding) -> Void) async {
        // Closing ends `received`, and with it the search.
        defer { socket.close() }
        var isSent = false
        var refusal: PlaybackError?
        do {
            for _ in 0..<sends {
                do throws(PlaybackError) {
                    try socket.send(request.datagram, to: SearchRequest.group)
                    isSent = true
                } catch {
                    // One datagram that arrives is enough, which is why several are sent.
                    refusal = error
                }
                try await clock.sleep(for: .milliseconds(300))
            }
            if !isSent, let refusal { return report(.failure(refusal)) }
            try await clock.sleep(for: .seconds(request.longestWait) + .seconds(1))
        } catch {
            // The search was cancelled.
        }
    }

    private func finding(at answer: SearchAnswer) async -> Finding {
        let location = answer.location
        do throws(PlaybackError) {
            // A device could otherwise make this app send requests to any host.
            if let host = answer.host, let named = URL(string: location)?.host(), host != named {
                throw PlaybackError(
                    .refused,
                    "expected the description of a device at \(host), its own address, "
                        + "found \(RedactedURL.text(location)); if the device is known, connect to it by its address")
            }
            return .screen(try await .at(location, transport: transport, timing: timing, clock: clock))
        } catch {
            return .failure(error)
        }
    }
}
